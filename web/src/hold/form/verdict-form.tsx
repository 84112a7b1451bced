// A form that a yes or a no answers: its field that decides is the two buttons, and what one of them lacks opens beneath it.
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { agentTitle } from '../../base/account/names.ts';
import { useKeys } from '../../base/page/keys.ts';
import { oneLine } from '../../base/text/visible.ts';
import { strings } from '../../i18n/strings.ts';
import { noMeansOf, yesMeans } from '../decide/means.ts';
import { type Action, DecisionBar } from '../decide/decision-bar.tsx';
import {
  type Answer,
  approvedForm,
  type AskedForm,
  rejectedForm,
  takesReason,
  withoutVerdict,
} from '../decide/verdict.ts';
import { usePane } from '../pane.ts';
import { type Dict, dictOf } from '../values/dict.ts';
import { labelOf } from '../values/humanise.ts';
import { type FormShape, without } from '../values/schema-walk.ts';
import { ValueList } from '../values/value-list.tsx';
import { objectWords } from '../words/people.ts';
import { AskedFields } from './asked-fields.tsx';
import { focusField } from './error-summary.tsx';
import { idOf } from './form-context.ts';
import type { FormHandle } from './form-handle.ts';
import { FormPanel } from './form-panel.tsx';

const words = strings.hold;
/** More fields than these are no few that fit beneath a button: the form stands open. */
const askedUpTo = 6;

const lacksOf = (answer: Answer): readonly string[] => ('lacks' in answer ? answer.lacks : []);

export function VerdictForm({ shape }: { shape: FormShape }): ReactNode {
  const { hold, work, lockedWhy, idPrefix, decision, arm } = usePane();
  const [question] = useState(hold as typeof hold & AskedForm);
  const { decides, schema, secretPaths } = question;
  const asked: AskedForm = { ...question, onReject: hold.onReject };
  const form = useRef<FormHandle>(null);
  const fields = useRef<FormHandle>(null);
  const yes = approvedForm(asked, work.values);
  const no = rejectedForm(asked, work.values, work.reason);
  const [isEditing, setEditing] = useState(() => lacksOf(yes).length > askedUpTo || isUnnamed(yes));
  const latest = useRef({ yes, no });
  latest.current = { yes, no };
  // Asked for as the button was pressed.
  const lacks = useMemo(
    () =>
      arm.what === 'approve' ? lacksOf(latest.current.yes) : arm.what === 'reject' ? lacksOf(latest.current.no) : [],
    [arm.what],
  );
  const given = useMemo(() => ({ [decides.field]: decides.yes }), [decides]);
  const object = objectWords(hold, oneLine);

  const edit = (name?: string): void => {
    flushSync(() => setEditing(true));
    const first = name ?? Object.keys(withoutVerdict(question, dictOf(schema['properties'])))[0];
    if (first !== undefined) focusField(idOf(idPrefix, [first]));
  };
  useKeys({ e: () => (isEditing || lockedWhy !== null ? false : edit()) });

  /** With what is typed in the fields, which the page may not have taken yet. */
  const written = (handle: FormHandle | null, button: Dict): Dict | null => {
    if (handle === null) return work.values;
    const values = handle.read();
    return values === null ? null : { ...withoutVerdict(question, values), ...button };
  };
  const make = (what: 'approve' | 'reject') => () => {
    const isAsked = fields.current !== null;
    const values =
      isAsked || (isEditing && what === 'approve')
        ? written(isAsked ? fields.current : form.current, {})
        : withoutVerdict(question, work.values);
    if (values === null) return null;
    const answer = what === 'approve' ? approvedForm(asked, values) : rejectedForm(asked, values, work.reason);
    if ('body' in answer) return answer.body;
    // What no field beneath the button can put right stands in the form.
    if (isAsked || answer.lacks.length === 0) edit(answer.lacks[0]);
    return null;
  };
  const opening = (id: 'approve' | 'reject', word: unknown): Pick<Action, 'lasts' | 'fields'> => {
    const isOpen = arm.what === id && lacks.length > 0 && !isEditing;
    const isAsking = !isEditing && lacksOf(id === 'approve' ? yes : no).length > 0;
    return {
      ...(isOpen || isAsking ? { lasts: true } : {}),
      ...(isOpen
        ? {
            fields: (
              <AskedFields
                key={id}
                names={lacks}
                given={{ [decides.field]: word }}
                of={id}
                handle={fields}
                asJson={shape.asJson}
              />
            ),
          }
        : {}),
    };
  };
  const isComplete = lacksOf(yes).length === 0;
  const shared = { schema, initial: work.values, onChange: work.setValues, isLocked: lockedWhy !== null };
  return (
    <>
      {isEditing ? (
        <FormPanel
          {...shared}
          handle={form}
          problems={decision.problems}
          idPrefix={idPrefix}
          asSections={shape.style !== 'form'}
          asJson={shape.asJson}
          secretPaths={secretPaths}
          given={given}
        />
      ) : (
        <section className="read stack">
          <ValueList
            schema={schema}
            values={without(withoutVerdict(question, work.values), ...lacks)}
            onEdit={lockedWhy === null ? edit : null}
          />
          {!isComplete && (
            <p className="meta">
              {words.approveAsks(lacksOf(yes).map((name) => labelOf(name, dictOf(schema['properties'])[name])))}
            </p>
          )}
          {lockedWhy === null && (
            <button type="button" className="button quiet small" data-key="e" onClick={() => edit()}>
              {words.editForm}
            </button>
          )}
        </section>
      )}
      <DecisionBar
        actions={[
          {
            id: 'approve',
            label: words.approve,
            armedLabel: words.confirmApprove(object),
            isDirect: !hold.danger && (isComplete || isEditing),
            means: yesMeans(hold, words.means.approve(agentTitle(hold.agent))),
            tone: 'primary',
            isSend: true,
            make: make('approve'),
            ...opening('approve', decides.yes),
          },
          {
            id: 'reject',
            label: words.reject,
            armedLabel: words.confirmReject(object),
            means: noMeansOf(hold, asked.onReject === 'told' || !('body' in no) || no.body.status === 'resolved'),
            tone: 'plain',
            make: make('reject'),
            ...opening('reject', decides.no),
            ...(takesReason(asked) ? { reason: { label: words.reason, isFocused: lacks.length === 0 } } : {}),
          },
        ]}
      />
    </>
  );
}

/** Something is wrong that belongs to no field. */
const isUnnamed = (answer: Answer): boolean => 'lacks' in answer && answer.lacks.length === 0;
