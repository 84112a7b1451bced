export { a2aTask } from './task.ts';
export { digest, notice, push, reconcileTasks } from './deliveries.ts';
