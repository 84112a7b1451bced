// For a server without Nexus: activities that ask people, with a key of kind agent (STANDFAST_URL, STANDFAST_API_KEY).
import { createStandfastClient, type Approval } from '@standfast/client';
import { activityInfo, cancellationSignal, Context, heartbeat } from '@temporalio/activity';

const standfast = createStandfastClient();

/** Waits for people. By its heartbeats Temporal notices the death of this worker, and has another one wait on. */
export async function approve(name: string, args: object, policy: string): Promise<Approval> {
  const { workflowExecution, activityId } = activityInfo();
  // The same in each attempt: one question.
  const id = `${workflowExecution?.workflowId}/${workflowExecution?.runId}/${activityId}`;
  const beating = setInterval(heartbeat, 5_000);
  try {
    return await standfast.approve({ name, args: { ...args } }, { id, policy, signal: cancellationSignal() });
  } catch (error) {
    if (Context.current().cancellationDetails?.cancelRequested) await standfast.withdraw(id);
    throw error;
  } finally {
    clearInterval(beating);
  }
}

/** Puts the question, and ends with its hold: Standfast signals the workflow once people have answered. */
export async function putQuestion(name: string, args: object, policy: string): Promise<string> {
  const { workflowId = '' } = activityInfo().workflowExecution ?? {};
  const callback = { temporal: { workflowId, signal: 'answer' } };
  const { holdId } = await standfast.startApprove({ name, args: { ...args } }, { id: workflowId, policy, callback });
  return holdId;
}
