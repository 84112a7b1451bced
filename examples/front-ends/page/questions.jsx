// All open questions, each with a form. Nothing is sent before the last one is answered: a run has one answer for each.
import { useState } from 'react';
import { QuestionForm } from '../../copilotkit/page/question-form.jsx';

/** `onAnswers` gets the entries of `resume`. */
export function Questions({ interrupts, onAnswers }) {
  // A pause that comes again has other ids, and begins without answers.
  return interrupts.length === 0 ? null : (
    <OpenQuestions key={interrupts.map(({ id }) => id).join(' ')} interrupts={interrupts} onAnswers={onAnswers} />
  );
}

function OpenQuestions({ interrupts, onAnswers }) {
  const [entries, setEntries] = useState([]);
  const [failure, setFailure] = useState(null);
  const answer = (entry) => {
    const all = [...entries, entry];
    setEntries(all);
    if (all.length === interrupts.length) onAnswers(all).catch((error) => setFailure(String(error.message ?? error)));
  };
  const open = interrupts.filter(({ id }) => !entries.some(({ interruptId }) => interruptId === id));
  return (
    <div aria-label="Questions">
      {open.map((interrupt) => (
        <QuestionForm
          key={interrupt.id}
          interrupt={interrupt}
          onAnswer={(payload) => answer({ interruptId: interrupt.id, status: 'resolved', payload })}
          onDecline={() => answer({ interruptId: interrupt.id, status: 'cancelled' })}
        />
      ))}
      {failure !== null && <p role="alert">{failure}</p>}
    </div>
  );
}
