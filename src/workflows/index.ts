export { a2aTask } from './task.ts';
export { notice, push, reconcileTasks } from './deliveries.ts';
