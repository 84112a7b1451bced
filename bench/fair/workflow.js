// The history that Standfast's task has, event by event: opening by an update, a turn, a list's mark, 90 days, an answer, a turn.
import { condition, defineUpdate, proxyActivities, setHandler, upsertSearchAttributes } from '@temporalio/workflow';

const { turn } = proxyActivities({ startToCloseTimeout: '1m' });
/** @typedef {import('@temporalio/common').UpdateDefinition<boolean, [any]>} Update */
/** @type {Update} */
const opening = defineUpdate('open');
/** @type {Update} */
const answering = defineUpdate('answer');

export async function fairTask(_task) {
  let opened;
  let answer;
  setHandler(opening, (given) => {
    opened = given;
    return true;
  });
  setHandler(answering, (given) => {
    answer = given;
    return true;
  });
  await condition(() => opened !== undefined);
  const ids = await turn(opened);
  upsertSearchAttributes({ StandfastStatus: ['NEEDS_REVIEW'] });
  if (!(await condition(() => answer !== undefined, '90 days'))) throw new Error('nobody answered');
  return turn({ ...answer, ids });
}
