import { agentTitle } from '../../app/account/names.ts';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { strings } from '../../i18n/strings.ts';
import { textAnswer } from '../decide/answers.ts';
import { DecisionBar } from '../decide/decision-bar.tsx';
import { dictOf } from '../values/dict.ts';
import { declineAction, sendAction } from '../decide/actions.ts';
import { usePane } from '../pane.ts';

/** A question that a text answers. */
export function TextKind(): ReactNode {
  const pane = usePane();
  const { hold, work } = pane;
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [isMissing, setMissing] = useState(false);
  const name = nameOfText(hold.schema);
  const text = typeof work.values[name] === 'string' ? work.values[name] : '';
  const max = Number(dictOf(dictOf(hold.schema['properties'])[name])['maxLength'] ?? Number.NaN);
  const refused =
    pane.decision.sending.state === 'refused' ? pane.decision.sending.refusal.errors[0]?.message : undefined;
  const error = isMissing ? strings.hold.replyEmpty : refused;
  const [shownError, setShownError] = useState(error);
  useEffect(() => {
    setShownError(error);
    if (error !== undefined && error !== shownError) field.current?.focus();
  }, [error, shownError]);
  return (
    <>
      <div className="field">
        <label htmlFor={id}>{strings.hold.yourReply(agentTitle(hold.agent))}</label>
        <textarea
          id={id}
          ref={field}
          value={text}
          rows={5}
          dir="auto"
          aria-invalid={error !== undefined || undefined}
          aria-describedby={`${id}-hint`}
          readOnly={pane.lockedWhy !== null}
          onChange={(event) => {
            setMissing(false);
            work.setValues({ ...work.values, [name]: event.target.value });
          }}
        />
        <p className="hint" id={`${id}-hint`}>
          {error !== undefined && <span className="error">{error} </span>}
          {strings.hold.replyHint} {Number.isNaN(max) ? '' : strings.hold.form.format24(Array.from(text).length, max)}
        </p>
      </div>
      <DecisionBar
        onFocusFirst={() => field.current?.focus()}
        actions={[
          sendAction(
            hold,
            () => {
              if (text.trim() !== '') return textAnswer(hold, text);
              setMissing(true);
              field.current?.focus();
              return null;
            },
            { label: strings.hold.reply },
          ),
          declineAction(hold, work.reason),
        ]}
      />
    </>
  );
}

function nameOfText(schema: unknown): string {
  const fields = Object.entries(dictOf(dictOf(schema)['properties']));
  return fields.find(([, property]) => dictOf(property)['type'] === 'string')?.[0] ?? 'text';
}
