// A form that a yes or a no answers: its field that decides is the two buttons, and what one of them lacks opens beneath it.
import { type ReactNode, type RefObject, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { agentTitle } from '../../base/account/names.ts';
import { useKeys } from '../../base/page/keys.ts';
import { oneLine } from '../../base/text/visible.ts';
import { strings } from '../../i18n/strings.ts';
import { noMeans, yesMeans } from '../decide/means.ts';
import { type Action, DecisionBar } from '../decide/decision-bar.tsx';
import {
  type Answer,
  approvedForm,
  type AskedForm,
  rejectedForm,
  takesReason,
  withoutVerdict,
} from '../answer/verdict.ts';
import { usePane } from '../pane/pane.ts';
import { type Dict, dictOf } from '../values/dict.ts';
import { labelOf } from '../values/humanise.ts';
import { type FormShape, without } from '../values/schema-walk.ts';
import { ValueList } from '../values/value-list.tsx';
import { objectWords } from '../words/people.ts';
import { ReadBlock } from '../reading/read-block.tsx';
import { AskedFields } from './asked-fields.tsx';
import { focusField } from './error-summary.tsx';
import { idOf } from './form-context.ts';
import type { FormHandle } from './form-handle.ts';
import { FormPanel } from './form-panel.tsx';

const words = strings.hold;
/** More fields than these do not fit beneath a button: the form is open. */
const askedUpTo = 6;

type Verdict = 'approve' | 'reject';

const lacksOf = (answer: Answer): readonly string[] => ('lacks' in answer ? answer.lacks : []);

const answerOf = (verdict: Verdict, asked: AskedForm, values: Dict, reason: string): Answer =>
  verdict === 'approve' ? approvedForm(asked, values) : rejectedForm(asked, values, reason);

/** What each button would send now, and the fields that the pressed one asks for. */
function useAnswers(asked: AskedForm): Record<Verdict, Answer> & { lacks: readonly string[] } {
  const { work, arm } = usePane();
  const approve = answerOf('approve', asked, work.values, work.reason);
  const reject = answerOf('reject', asked, work.values, work.reason);
  const latest = useRef({ approve, reject });
  latest.current = { approve, reject };
  // Asked for as the button was pressed.
  const lacks = useMemo(
    () => (arm.what === 'approve' || arm.what === 'reject' ? lacksOf(latest.current[arm.what]) : []),
    [arm.what],
  );
  return { approve, reject, lacks };
}

/** Whether the whole form is open, and opening it at a field. */
function useOpenForm(
  question: AskedForm,
  startsOpen: () => boolean,
): { isEditing: boolean; edit: (name?: string) => void } {
  const { lockedWhy, idPrefix } = usePane();
  const [isEditing, setEditing] = useState(startsOpen);
  const edit = (name?: string): void => {
    flushSync(() => setEditing(true));
    const first = name ?? Object.keys(withoutVerdict(question, dictOf(question.schema['properties'])))[0];
    if (first !== undefined) focusField(idOf(idPrefix, [first]));
  };
  useKeys({ e: () => (isEditing || lockedWhy !== null ? false : edit()) });
  return { isEditing, edit };
}

export function VerdictForm({ shape }: { shape: FormShape }): ReactNode {
  const { hold, work, lockedWhy, arm } = usePane();
  const [question] = useState(hold as typeof hold & AskedForm);
  const { decides, schema } = question;
  const asked: AskedForm = { ...question, onReject: hold.onReject };
  const form = useRef<FormHandle>(null);
  const fields = useRef<FormHandle>(null);
  const answers = useAnswers(asked);
  const { approve, reject, lacks } = answers;
  const { isEditing, edit } = useOpenForm(question, () => lacksOf(approve).length > askedUpTo || isUnnamed(approve));
  const object = objectWords({ ...hold, title: hold.headline, hasOwnTitle: true }, oneLine);

  /** With what is typed in the fields, which the page may not have taken yet; null: some of it is wrong. */
  const typed = (verdict: Verdict): Dict | null => {
    const handle = fields.current ?? (verdict === 'approve' ? form.current : null);
    const values = handle === null ? work.values : handle.read();
    return values === null ? null : withoutVerdict(question, values);
  };
  const make = (verdict: Verdict) => () => {
    const isAsked = fields.current !== null;
    const values = typed(verdict);
    if (values === null) return null;
    const answer = answerOf(verdict, asked, values, work.reason);
    if ('body' in answer) return answer.body;
    // What no field beneath the button can put right is in the form.
    if (isAsked || answer.lacks.length === 0) edit(answer.lacks[0]);
    return null;
  };
  const opening = (verdict: Verdict, word: unknown): Pick<Action, 'lasts' | 'fields'> => {
    if (isEditing) return {};
    const isOpen = arm.what === verdict && lacks.length > 0;
    if (!isOpen) return lacksOf(answers[verdict]).length > 0 ? { lasts: true } : {};
    const rest = { given: { [decides.field]: word }, of: verdict, handle: fields, asJson: shape.asJson };
    return { lasts: true, fields: <AskedFields key={verdict} names={lacks} {...rest} /> };
  };
  return (
    <>
      {isEditing ? (
        <OpenForm question={question} shape={shape} handle={form} />
      ) : (
        <ReadForm
          schema={schema}
          values={without(withoutVerdict(question, work.values), ...lacks)}
          lacks={lacksOf(approve)}
          onEdit={lockedWhy === null ? edit : null}
        />
      )}
      <DecisionBar
        actions={[
          {
            id: 'approve',
            label: words.approve,
            armedLabel: words.confirmApprove(object),
            isDirect: !hold.danger && (lacksOf(approve).length === 0 || isEditing),
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
            means: noMeans(hold, 'reject', asked.onReject === 'answers' || isSent(reject)),
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

interface OpenFormProps {
  question: HoldView & AskedForm;
  shape: FormShape;
  handle: RefObject<FormHandle | null>;
}

/** The form's fields but the one that decides, which is a yes for as long as they are filled in. */
function OpenForm({ question, shape, handle }: OpenFormProps): ReactNode {
  const { work, lockedWhy, idPrefix, decision } = usePane();
  const { decides, schema, secretPaths } = question;
  const given = useMemo(() => ({ [decides.field]: decides.yes }), [decides]);
  return (
    <FormPanel
      schema={schema}
      initial={work.values}
      onChange={work.setValues}
      isLocked={lockedWhy !== null}
      handle={handle}
      problems={decision.problems}
      idPrefix={idPrefix}
      asSections={shape.style !== 'form'}
      asJson={shape.asJson}
      secretPaths={secretPaths}
      given={given}
    />
  );
}

interface ReadFormProps {
  schema: Dict;
  values: Dict;
  /** What a yes still asks for. */
  lacks: readonly string[];
  /** Null: nothing can be changed now. */
  onEdit: ((name?: string) => void) | null;
}

/** The form's values to read, and the way to its fields. */
function ReadForm({ schema, values, lacks, onEdit }: ReadFormProps): ReactNode {
  const labels = lacks.map((name) => labelOf(name, dictOf(schema['properties'])[name]));
  return (
    <section className="read stack">
      <ReadBlock kind="form">
        <ValueList schema={schema} values={values} onEdit={onEdit} />
      </ReadBlock>
      {labels.length > 0 && <p className="meta">{words.approveAsks(labels)}</p>}
      {onEdit !== null && (
        <button type="button" className="button quiet small" data-key="e" onClick={() => onEdit()}>
          {words.editForm}
        </button>
      )}
    </section>
  );
}

/** A no that still lacks something is sent once it is complete. */
const isSent = (no: Answer): boolean => !('body' in no) || no.body.status === 'resolved';

/** Something is wrong that belongs to no field. */
const isUnnamed = (answer: Answer): boolean => 'lacks' in answer && answer.lacks.length === 0;
