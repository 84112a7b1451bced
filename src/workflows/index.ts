export { a2aTask } from './task.ts';
export { reconcileTasks } from './reconcile.ts';
export { notice } from './notice.ts';
export { push } from './push.ts';
