import { type ReactNode, useMemo, useRef, useState } from 'react';
import { agentTitle } from '../../base/account/names.ts';
import { strings } from '../../i18n/strings.ts';
import { rejectAction, withoutReason } from '../decide/actions.ts';
import { mayApprove, toolApproved, toolParts } from '../decide/answers.ts';
import { ArgTable } from '../values/arg-table.tsx';
import { DecisionBar } from '../decide/decision-bar.tsx';
import { type Dict, dictOf, isSame } from '../values/dict.ts';
import type { FormHandle } from '../form/form-handle.ts';
import { yesMeans } from '../decide/means.ts';
import { usePane } from '../pane.ts';
import { objectWords } from '../words/people.ts';
import { useBelow } from '../values/use-below.ts';
import { changesIn, diffArgs } from '../values/value-diff.ts';
import { oneLine, visible } from '../../base/text/visible.ts';
import { ExtraFields } from './extra-fields.tsx';

/** A call of one of the agent's tools: what exactly happens, and what of it may be changed. */
export function ToolKind(): ReactNode {
  const { hold, work, lockedWhy, idPrefix } = usePane();
  const words = strings.hold;
  const parts = useMemo(() => toolParts(hold), [hold]);
  const [wrong, setWrong] = useState<ReadonlySet<string>>(new Set());
  const more = useRef<FormHandle>(null);
  const below = useBelow(hold.digest);
  const object = objectWords(hold, oneLine);
  const hasComment = parts?.reason === 'comment';
  const edit = parts?.edit ?? null;
  const edited = edit === null ? null : { ...edit.proposed, ...dictOf(work.values[edit.field]) };
  const sent = edited === null ? null : withoutRemoved(edited);
  const changes = edit === null || sent === null ? 0 : changesIn(diffArgs(edit.proposed, sent));
  const armedLabel = changes > 0 ? words.confirmApproveWith(changes, object) : words.confirmApprove(object);
  const calledWith = hold.context.toolArgs;
  const isSameCall = edit !== null && isSame(calledWith, edit.proposed);

  return (
    <>
      <section className="tool" ref={below.element} aria-labelledby={`${idPrefix}-tool`}>
        <h2 className="tool-name" id={`${idPrefix}-tool`}>
          <code dir="auto">{visible(hold.tool?.name ?? '')}</code>{' '}
          <span className="meta">{words.onAgent(agentTitle(hold.agent))}</span>
        </h2>
        {!isSameCall && (
          <>
            {edit !== null && <h3 className="meta">{words.calledWith}</h3>}
            <ArgTable proposed={calledWith} sent={calledWith} schema={{}} />
          </>
        )}
        {edit !== null && sent !== null && (
          <>
            {!isSameCall && <h3 className="meta">{words.toolGets}</h3>}
            <ArgTable
              proposed={edit.proposed}
              sent={sent}
              schema={edit.schema}
              {...(lockedWhy === null
                ? {
                    onChange: (next: Dict) => work.setValues({ ...work.values, [edit.field]: next }),
                    onWrong: setWrong,
                  }
                : {})}
            />
          </>
        )}
        {parts !== null && <ExtraFields parts={parts} handle={more} />}
      </section>
      <DecisionBar
        actions={[
          ...(mayApprove(hold)
            ? [
                {
                  id: 'approve' as const,
                  label:
                    below.count > 0
                      ? words.moreArguments(below.count)
                      : changes > 0
                        ? words.approveWith(changes)
                        : words.approve,
                  ...(below.count > 0 ? { beforeArming: below.show } : {}),
                  armedLabel,
                  ...(hasComment
                    ? { reason: { label: words.comment, isFocused: false } }
                    : withoutReason(work.reason, armedLabel)),
                  means: yesMeans(
                    hold,
                    words.means.approveTool(agentTitle(hold.agent), oneLine(hold.tool?.name ?? '', 40)),
                  ),
                  tone: 'primary' as const,
                  isSend: true,
                  make: () => {
                    if (wrong.size > 0) {
                      focusWrong(idPrefix);
                      return null;
                    }
                    // A form that is still loading says nothing yet, and what it must hold is missing.
                    if (more.current === null && (parts?.required.length ?? 0) > 0) return null;
                    const extra = more.current === null ? {} : more.current.read();
                    if (extra === null) return null;
                    // A comment goes with either word; a reason with a no alone.
                    const feedback = hasComment && work.reason.trim() !== '' ? { comment: work.reason.trim() } : {};
                    return toolApproved(hold, sent, { ...extra, ...feedback });
                  },
                },
              ]
            : []),
          {
            ...rejectAction(hold, object, work.reason),
            ...(hasComment ? { reason: { label: words.comment, isFocused: true } } : {}),
          },
        ]}
      />
    </>
  );
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
