// The least a durable question can be: ask, wait on a condition, take the answer by an update, carry it on.
import { condition, defineUpdate, proxyActivities, proxySinks, setHandler, workflowInfo } from '@temporalio/workflow';

const { ask, carry } = proxyActivities({ startToCloseTimeout: '10s' });
// Leaves nothing in history: tells the bench that this one waits now.
const { bench } = proxySinks();

export async function floorTask(question) {
  let answer;
  /** @type {import('@temporalio/common').UpdateDefinition<boolean, [unknown]>} */
  const answering = defineUpdate('answer');
  setHandler(answering, (given) => {
    answer = given;
    return true;
  });
  const ids = await ask(question);
  bench.parked(workflowInfo().workflowId);
  await condition(() => answer !== undefined);
  return carry(ids, answer);
}
