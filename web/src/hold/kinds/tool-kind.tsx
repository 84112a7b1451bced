import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { DecisionBody } from '../../../../src/contract/holds/decision.ts';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { agentTitle } from '../../base/account/names.ts';
import { strings } from '../../i18n/strings.ts';
import { rejectAction, withoutReason } from '../decide/actions.ts';
import { mayApprove, toolApproved, toolParts, type ToolParts } from '../answer/answers.ts';
import { ArgTable } from '../values/arg-table.tsx';
import { EditTable } from '../values/edit-table.tsx';
import { type Action, DecisionBar } from '../decide/decision-bar.tsx';
import { grantActions } from '../decide/grant-action.tsx';
import { type Dict, dictOf, isSame } from '../values/dict.ts';
import type { FormHandle } from '../form/form-handle.ts';
import { LastCallLine, LastCallProvider } from '../values/last-call.tsx';
import { yesMeans } from '../decide/means.ts';
import { usePane } from '../pane/pane.ts';
import { objectWords } from '../words/people.ts';
import { ReadBlock } from '../reading/read-block.tsx';
import { changesIn, diffArgs } from '../values/value-diff.ts';
import { oneLine, visible } from '../../base/text/visible.ts';
import { ExtraFields } from './extra-fields.tsx';

const words = strings.hold;

/** A call of one of the agent's tools: what exactly happens, and what of it may be changed. */
export function ToolKind(): ReactNode {
  const { hold, myId, work, lockedWhy, idPrefix, precedents } = usePane();
  const parts = useMemo(() => toolParts(hold), [hold]);
  const [isWrong, setWrong] = useState(false);
  const more = useRef<FormHandle>(null);
  const call = editedCall(parts?.edit ?? null, work.values);
  const hasComment = parts?.reason === 'comment';

  const make = (): DecisionBody | null => {
    if (isWrong) {
      focusWrong(idPrefix);
      return null;
    }
    // A form that is still loading says nothing yet, and what it must hold is missing.
    if (more.current === null && (parts?.required.length ?? 0) > 0) return null;
    const extra = more.current === null ? {} : more.current.read();
    if (extra === null) return null;
    // A comment goes with either word; a reason with a no alone.
    const feedback = hasComment && work.reason.trim() !== '' ? { comment: work.reason.trim() } : {};
    return toolApproved(hold, call?.sent ?? null, { ...extra, ...feedback });
  };
  const commentOf = (isFocused: boolean): Pick<Action, 'reason'> =>
    hasComment ? { reason: { label: words.comment, isFocused } } : {};
  const approve = approveAction(hold, call?.changes ?? 0);
  const yes = { ...approve, make, ...(hasComment ? commentOf(false) : withoutReason(work.reason, approve.armedLabel)) };
  const yeses = [yes, ...grantActions({ hold, myId }, yes, call?.sent ?? hold.context.toolArgs)];
  const no = { ...rejectAction(hold, objectWords(hold, oneLine), work.reason), ...commentOf(true) };
  return (
    <>
      <section className="tool" aria-labelledby={`${idPrefix}-tool`}>
        <ReadBlock as="h2" kind="arguments" className="tool-name" id={`${idPrefix}-tool`}>
          <code dir="auto">{visible(hold.tool?.name ?? '')}</code>{' '}
          <span className="meta">{words.onAgent(agentTitle(hold.agent))}</span>
        </ReadBlock>
        <LastCallProvider value={precedents?.call ?? null}>
          <LastCallLine />
          <CallTables
            calledWith={hold.context.toolArgs}
            call={call}
            onChange={lockedWhy === null ? (field, next) => work.setValues({ ...work.values, [field]: next }) : null}
            onWrong={setWrong}
          />
        </LastCallProvider>
        {parts !== null && <ExtraFields parts={parts} handle={more} />}
      </section>
      <DecisionBar actions={mayApprove(hold) ? [...yeses, no] : [no]} />
    </>
  );
}

/** A call that may be changed: as it was proposed, as it is sent now, and how many changes that makes. */
interface EditedCall extends NonNullable<ToolParts['edit']> {
  sent: Dict;
  changes: number;
}

function editedCall(edit: ToolParts['edit'], values: Dict): EditedCall | null {
  if (edit === null) return null;
  const sent = withoutRemoved({ ...edit.proposed, ...dictOf(values[edit.field]) });
  return { ...edit, sent, changes: changesIn(diffArgs(edit.proposed, sent)) };
}

interface CallTablesProps {
  calledWith: Dict;
  call: EditedCall | null;
  /** Null: nothing can be changed now. */
  onChange: ((field: string, next: Dict) => void) | null;
  onWrong: (isWrong: boolean) => void;
}

/** What the tool was called with, and what it gets where that is another thing. */
function CallTables({ calledWith, call, onChange, onWrong }: CallTablesProps): ReactNode {
  const isSameCall = call !== null && isSame(calledWith, call.proposed);
  return (
    <>
      {!isSameCall && (
        <>
          {call !== null && <h3 className="meta">{words.calledWith}</h3>}
          <ArgTable proposed={calledWith} sent={calledWith} schema={{}} />
        </>
      )}
      {call !== null && (
        <>
          {!isSameCall && <h3 className="meta">{words.toolGets}</h3>}
          {onChange === null ? (
            <ArgTable {...call} />
          ) : (
            <EditTable {...call} onChange={(next) => onChange(call.field, next)} onWrong={onWrong} />
          )}
        </>
      )}
    </>
  );
}

function approveAction(hold: HoldView, changes: number): Omit<Action, 'make'> {
  const object = objectWords(hold, oneLine);
  return {
    id: 'approve',
    label: changes > 0 ? words.approveWith(changes) : words.approve,
    armedLabel: changes > 0 ? words.confirmApproveWith(changes, object) : words.confirmApprove(object),
    means: yesMeans(hold, words.means.approveTool(agentTitle(hold.agent), oneLine(hold.tool?.name ?? '', 40))),
    tone: 'primary',
    isSend: true,
  };
}

/** A leaf that was taken out is `undefined` while it is edited, and not there when it is sent. */
function withoutRemoved(value: Dict): Dict {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined));
}

function focusWrong(idPrefix: string): void {
  document
    .querySelector<HTMLElement>(`#${CSS.escape(idPrefix)}-tool ~ * [aria-invalid="true"], .tool [aria-invalid="true"]`)
    ?.focus();
}
