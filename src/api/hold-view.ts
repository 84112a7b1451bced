import type { HoldView } from '../contract/hold.ts';
import type { JsonObject } from '../contract/json.ts';
import type { Principal } from '../contract/principal.ts';
import { mayDecide } from '../core/audience.ts';
import type { HoldRow } from '../store/store.ts';

/** A hold as this caller sees it. */
export function holdViewOf(row: HoldRow, principal: Principal): HoldView {
  const { question } = row;
  return {
    id: row.holdId,
    interruptId: row.interruptId,
    taskId: row.taskId,
    agent: row.agent,
    threadId: row.threadId,
    kind: question.kind,
    title: question.title,
    message: question.message,
    schema: question.schema,
    defaults: question.defaults,
    context: { conversation: `/api/tasks/${row.taskId}/chat`, artifacts: [], toolArgs: question.tool?.args ?? {} },
    supersedes: null,
    asking: false,
    votes: { have: row.decision === null ? 0 : 1, need: 1 },
    status: row.status,
    audience: row.audience,
    openedAt: row.openedAt,
    expiresAt: row.expiresAt,
    nextStep: row.nextStep,
    digest: row.digest,
    mayDecide: row.status === 'open' && mayDecide(row, principal, row.owner),
    decision: row.decision && { ...row.decision, values: withoutSecrets(row) },
  };
}

/** Secret fields are never shown again, not even to who gave them. */
function withoutSecrets({ question, decision }: HoldRow): JsonObject {
  return Object.fromEntries(
    Object.entries(decision?.values ?? {}).filter(([name]) => !question.secrets.includes(name)),
  );
}
