// Two workflows that pay only what a person approved, for a server without Nexus.
import type { AskReply } from '@standfast/client';
import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import type * as activities from './activities.ts';
import type * as people from './ask-people.ts';

const { pay } = proxyActivities<typeof activities>({ startToCloseTimeout: '1 minute' });
const { putQuestion } = proxyActivities<typeof people>({ startToCloseTimeout: '1 minute' });
const { approve } = proxyActivities<typeof people>({
  startToCloseTimeout: '7 days',
  heartbeatTimeout: '20 seconds',
  // Else the workflow ends before its activity has withdrawn the question.
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
});

/** An activity waits: it holds a slot of your worker while people think. */
export async function payAfterWaiting(args: activities.Payment): Promise<string> {
  const approval = await approve('pay', args, 'finance');
  return approval.approved ? pay(args) : `not paid: ${approval.reason}`;
}

/** A signal brings the answer: no slot is held meanwhile. */
export async function payWhenSignalled(args: activities.Payment): Promise<string> {
  const replies = new Map<string | null, AskReply>();
  setHandler(defineSignal<[AskReply]>('answer'), (reply) => void replies.set(reply.holdId, reply));
  const holdId = await putQuestion('pay', args, 'finance');
  // Other programs may have this workflow signalled of questions of theirs, under any id.
  await condition(() => replies.has(holdId));
  const answer = replies.get(holdId);
  return answer?.approved === true ? pay(args) : `not paid: ${answer?.reason ?? answer?.status}`;
}
