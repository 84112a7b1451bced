import { agentTitle } from '../../base/account/names.ts';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { TextField } from '../../ui/controls.tsx';
import { strings } from '../../i18n/strings.ts';
import { resolved, textField } from '../answer/answers.ts';
import { DecisionBar } from '../decide/decision-bar.tsx';
import { dictOf } from '../values/dict.ts';
import { declineAction, sendAction } from '../decide/actions.ts';
import { usePane } from '../pane/pane.ts';

/** A question that a text answers. */
export function TextKind(): ReactNode {
  const { hold, work, decision, lockedWhy } = usePane();
  const field = useRef<HTMLElement>(null);
  const [isMissing, setMissing] = useState(false);
  const name = textField(hold);
  const value = work.values[name];
  const text = typeof value === 'string' ? value : '';
  const max = Number(dictOf(dictOf(hold.schema['properties'])[name])['maxLength'] ?? Number.NaN);
  const refused = decision.problems[0]?.message;
  const error = isMissing ? strings.hold.replyEmpty : refused;
  useEffect(() => {
    if (refused !== undefined) field.current?.focus();
  }, [refused]);
  return (
    <>
      <TextField
        id={useId()}
        label={strings.hold.yourReply(agentTitle(hold.agent))}
        field={field}
        value={text}
        rows={5}
        isInvalid={error !== undefined}
        isLocked={lockedWhy !== null}
        onChange={(next) => {
          setMissing(false);
          work.setValues({ ...work.values, [name]: next });
        }}
        hint={
          <>
            {error !== undefined && <span className="error">{error} </span>}
            {strings.hold.replyHint} {Number.isNaN(max) ? '' : strings.hold.form.format24(Array.from(text).length, max)}
          </>
        }
      />
      <DecisionBar
        onFocusFirst={() => field.current?.focus()}
        actions={[
          sendAction(
            hold,
            () => {
              if (text.trim() !== '') return resolved(hold, { [name]: text });
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
