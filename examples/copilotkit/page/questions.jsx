// Open questions of the conversation, each with a form. All of them are answered before the run goes on: CopilotKit keeps
// the answers until the last one is there, and sends them as one `resume`.
import { useInterrupt } from '@copilotkit/react-core/v2';
import { useState } from 'react';
import { QuestionForm } from './question-form.jsx';

export function Questions({ agentId }) {
  useInterrupt({
    agentId,
    render: ({ interrupts, resolve, cancel }) => (
      <OpenQuestions
        key={interrupts.map(({ id }) => id).join(' ')}
        interrupts={interrupts}
        resolve={resolve}
        cancel={cancel}
      />
    ),
  });
  return null;
}

function OpenQuestions({ interrupts, resolve, cancel }) {
  const [answered, setAnswered] = useState([]);
  const [failure, setFailure] = useState(null);
  const answer = (id, send) => {
    setAnswered((before) => [...before, id]);
    send().catch((error) => setFailure(String(error.message ?? error)));
  };
  const left = interrupts.length - answered.length;
  return (
    <div aria-label="Questions">
      {interrupts
        .filter(({ id }) => !answered.includes(id))
        .map((interrupt) => (
          <QuestionForm
            key={interrupt.id}
            interrupt={interrupt}
            onAnswer={(values) => answer(interrupt.id, () => resolve(values, interrupt.id))}
            onDecline={() => answer(interrupt.id, () => cancel(interrupt.id))}
          />
        ))}
      {answered.length > 0 && left > 0 && <p role="status">{`${left} more to answer before anything is sent.`}</p>}
      {failure !== null && <p role="alert">{failure}</p>}
    </div>
  );
}
