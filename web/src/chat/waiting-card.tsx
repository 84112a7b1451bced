// A question of this conversation that others decide: whom it waits for, until when and what then, and no grey form.
import { hasEnded } from '../../../src/contract/holds/hold-names.ts';
import { type ReactNode, useEffect } from 'react';
import { announce } from '../base/page/announce.tsx';
import { Link } from '../base/router/router.ts';
import { holdPath, noFilters, taskPath } from '../base/router/routes.ts';
import { Deadline } from '../hold/head/head-chips.tsx';
import { othersWords } from '../hold/words/people.ts';
import { useHold } from '../hold/use-hold.ts';
import { oneLine } from '../base/text/visible.ts';
import { stateTones } from '../hold/words/state-tones.ts';
import { strings } from '../i18n/strings.ts';
import '../hold/record/question-card.css';
import type { OpenQuestion } from './conversation-state.ts';

const words = strings.chat;

export function WaitingCard({ question }: { question: OpenQuestion }): ReactNode {
  const { newest } = useHold(question.holdId);
  const who = othersWords(question.audience);
  useEffect(() => announce(words.disabledOthers(who)), [who]);
  return (
    <section
      id={`question-${question.holdId}`}
      className="chat-question waiting-card stack"
      tabIndex={-1}
      aria-label={words.activity}
    >
      <div className="waiting-head cluster">
        <h2 dir="auto">{oneLine(newest?.title ?? '', 120) || words.activity}</h2>
        <span className={`pill ${stateTones.waiting}`}>{words.waitingFor(who)}</span>
      </div>
      {newest !== null && !hasEnded(newest.status) && <Deadline hold={newest} />}
      <p className="waiting-links cluster">
        <Link to={holdPath(question.holdId, { ...noFilters, view: 'all' })}>{words.inInbox}</Link>
        {newest !== null && <Link to={taskPath(newest.taskId)}>{strings.hold.openTask}</Link>}
      </p>
    </section>
  );
}
