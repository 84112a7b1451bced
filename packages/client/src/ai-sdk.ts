// Vercel AI SDK: tools that need approval are approved by people. It reads and writes the SDK's messages and imports nothing of it.
import type { Approval, Asking } from './ask.ts';
import { NotAnswered } from './ask.ts';

/** What is read of the AI SDK's `ModelMessage`. */
export interface MessageLike {
  role: string;
  content: unknown;
}

export interface ApprovalResponse {
  type: 'tool-approval-response';
  approvalId: string;
  approved: boolean;
  reason?: string;
}

export interface ApprovalMessage {
  role: 'tool';
  content: ApprovalResponse[];
}

interface Pending {
  approvalId: string;
  call: { id: string; name: string; args: Record<string, unknown> };
}

type Part = Record<string, unknown>;

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Approvals that these messages ask for and do not answer, with their calls. */
export function pendingApprovals(messages: readonly MessageLike[]): Pending[] {
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content.filter(isPart) : []));
  const ofType = (type: string): Part[] => parts.filter((part) => part['type'] === type);
  const answered = new Set(ofType('tool-approval-response').map((part) => part['approvalId']));
  const calls = new Map(ofType('tool-call').map((part) => [part['toolCallId'], part]));
  return ofType('tool-approval-request')
    .filter(({ approvalId }) => !answered.has(approvalId))
    .flatMap(({ approvalId, toolCallId }): Pending[] => {
      const call = calls.get(toolCallId);
      if (call === undefined) return [];
      const { input, toolName } = call;
      const args = isPart(input) && !Array.isArray(input) ? input : { input };
      return [{ approvalId: textOf(approvalId), call: { id: textOf(toolCallId), name: textOf(toolName), args } }];
    });
}

export interface ApprovalRun {
  standfast: Pick<Asking, 'approve'>;
  /** The run's own name: the same, after a restart too, finds the same questions. */
  runId: string;
  policy?: string | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * The message that answers what `messages` wait for, once people have; null: they wait for nothing. Keep the messages before:
 * a process that starts again with them and the same `runId` waits for the same answers.
 */
export async function answerApprovals(
  messages: readonly MessageLike[],
  run: ApprovalRun,
): Promise<ApprovalMessage | null> {
  const pending = pendingApprovals(messages);
  if (pending.length === 0) return null;
  return { role: 'tool', content: await Promise.all(pending.map((one) => responseTo(one, run))) };
}

async function responseTo(
  { approvalId, call }: Pending,
  { standfast, runId, policy, signal }: ApprovalRun,
): Promise<ApprovalResponse> {
  const answer = (approved: boolean, reason: string | null): ApprovalResponse => ({
    type: 'tool-approval-response',
    approvalId,
    approved,
    ...(reason === null ? {} : { reason }),
  });
  try {
    const id = idOf(runId, call.id);
    const { approved, by, reason } = await standfast.approve(call, { id, policy, signal });
    return answer(approved, approved ? reason : whyNot(by, reason));
  } catch (error) {
    // Not approved: the model learns why, and the tool is not executed.
    if (error instanceof NotAnswered && error.outcome !== 'waiting') return answer(false, error.message);
    throw error;
  }
}

/** Of an id that is too long the middle is left out, so that calls of one run differ. */
function idOf(runId: string, callId: string): string {
  const id = `${runId}:${callId}`;
  return id.length <= 120 ? id : id.slice(0, 60) + id.slice(-60);
}

const whyNot = (by: string, reason: Approval['reason']): string =>
  `${by} did not approve this call${reason === null ? '' : `: ${reason}`}`;
