/*
 * Questions of an AG-UI server that is not Standfast's, drawn from what each brings along. All that are open are answered by one
 * resume, never past the time of one, and never with what its schema refuses: what AG-UI asks of its clients.
 */
import { type ReactNode, useId, useMemo, useRef, useState } from 'react';
import { serverNow } from '../base/live/api.ts';
import { oneLine } from '../base/text/visible.ts';
import { clockAt, useNow } from '../base/time/time.ts';
import { FormPanel } from '../hold/form/form-panel.tsx';
import { JsonPanel } from '../hold/form/json-panel.tsx';
import type { FormHandle } from '../hold/form/form-handle.ts';
import { ReadBlock } from '../hold/reading/read-block.tsx';
import { ReadingBoundary, useUnseen } from '../hold/reading/reading-boundary.tsx';
import { AgentBlock } from '../hold/text/agent-block.tsx';
import { type Dict, dictOf } from '../hold/values/dict.ts';
import { shapeOf } from '../hold/values/schema-walk.ts';
import { ValueList } from '../hold/values/value-list.tsx';
import { strings } from '../i18n/strings.ts';
import type { ChatItem } from './conversation-state.ts';
import { type Foreign, foreignOf, isLate, payloadOf, titleOf } from './foreign-answer.ts';
import type { ResumeEntry } from './resume.ts';

const words = strings.chat;

interface Props {
  agent: string;
  interrupts: readonly Dict[];
  /** What the thread holds: the calls that are asked about are there. */
  items: readonly ChatItem[];
  /** Sends the answers; false, or a rejection: they were not taken. */
  resume: (entries: readonly ResumeEntry[]) => Promise<boolean>;
}

export function ForeignQuestions({ agent, interrupts, items, resume }: Props): ReactNode {
  const open = useMemo(() => interrupts.map(foreignOf), [interrupts]);
  const [answers, setAnswers] = useState<ReadonlyMap<string, ResumeEntry>>(new Map());
  const [isSending, setSending] = useState(false);
  const answer = (entry: ResumeEntry): void => {
    const given = new Map([...answers, [entry.interruptId, entry]]);
    // One that was given in time may have waited for the others too long.
    for (const question of open)
      if (isLate(question, serverNow()) && given.get(question.id)?.status === 'resolved') given.delete(question.id);
    setAnswers(given);
    const entries = open.flatMap(({ id }) => given.get(id) ?? []);
    if (entries.length < open.length) return;
    setSending(true);
    void resume(entries)
      // The page says why it was refused.
      .catch(() => false)
      .then(() => {
        setSending(false);
        setAnswers(new Map());
      });
  };
  return open.map((question) => (
    <ReadingBoundary key={question.id} of={question.id}>
      <ForeignQuestion
        agent={agent}
        question={question}
        call={items.find((item) => item.kind === 'tool' && item.id === question.toolCallId)}
        isGiven={answers.has(question.id)}
        isSending={isSending}
        onAnswer={answer}
      />
    </ReadingBoundary>
  ));
}

interface QuestionProps {
  agent: string;
  question: Foreign;
  call: ChatItem | undefined;
  isGiven: boolean;
  isSending: boolean;
  onAnswer: (entry: ResumeEntry) => void;
}

function ForeignQuestion({ agent, question, call, isGiven, isSending, onAnswer }: QuestionProps): ReactNode {
  const { id, reason, schema, expiresAt, metadata } = question;
  const heading = useId();
  const form = useRef<FormHandle>(null);
  const [values, setValues] = useState<Dict>({});
  const isTooLate = isLate(question, useNow(expiresAt !== null));
  const shape = useMemo(() => shapeOf(schema), [schema]);
  const isLocked = isTooLate || isSending;
  const panel = { handle: form, schema, initial: values, onChange: setValues, problems: nothing, isLocked };
  const send = (): void => {
    const read = form.current?.read() ?? null;
    if (read !== null) onAnswer({ interruptId: id, status: 'resolved', payload: payloadOf(question, read) });
  };
  return (
    <section id={`question-${id}`} className="chat-question waiting-card stack" tabIndex={-1} aria-labelledby={heading}>
      <div className="waiting-head cluster">
        <h2 id={heading} dir="auto">
          {oneLine(titleOf(question), 120) || words.activity}
        </h2>
        <span className="pill">{oneLine(reason, 80)}</span>
      </div>
      {expiresAt !== null && !isTooLate && (
        <p className="meta">{words.answerBy(clockAt(new Date(expiresAt).toISOString()))}</p>
      )}
      <AgentBlock agent={agent} text={question.message}>
        {call?.kind === 'tool' && (
          <>
            <p className="mono">{oneLine(call.name, 80)}</p>
            <ReadBlock kind="arguments">
              <ValueList schema={{}} values={argsOf(call.args)} />
            </ReadBlock>
          </>
        )}
        <ReadBlock kind="data">
          <ValueList schema={{}} values={metadata} />
        </ReadBlock>
      </AgentBlock>
      {isTooLate && (
        <p className="notice warn" role="alert">
          {strings.errors.interrupt_expired_unknown}
        </p>
      )}
      {!isTooLate &&
        (shape.style === 'json' ? (
          <JsonPanel {...panel} why={shape.why} fields={shape.fields} />
        ) : (
          <FormPanel
            {...panel}
            idPrefix={heading}
            secretPaths={nothing}
            asSections={shape.style !== 'form'}
            asJson={shape.asJson}
          />
        ))}
      {isGiven && !isSending && (
        <p className="meta" role="status">
          {words.goesWithOthers}
        </p>
      )}
      <p className="cluster">
        {!isTooLate && <Send isSending={isSending} send={send} />}
        <button
          type="button"
          className="button"
          disabled={isSending}
          onClick={() => onAnswer({ interruptId: id, status: 'cancelled' })}
        >
          {strings.hold.decline}
        </button>
      </p>
    </section>
  );
}

/** What was not on the screen is shown first. */
function Send({ isSending, send }: { isSending: boolean; send: () => void }): ReactNode {
  const unseen = useUnseen();
  return (
    <button
      type="button"
      className="button primary"
      disabled={isSending}
      onClick={() => (unseen === null ? send() : unseen.show(send))}
    >
      {unseen?.label ?? strings.hold.sendAnswer}
    </button>
  );
}

const nothing: never[] = [];

function argsOf(text: string): Dict {
  try {
    return dictOf(JSON.parse(text));
  } catch {
    return {};
  }
}
