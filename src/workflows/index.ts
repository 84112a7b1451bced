export { a2aTask } from './task.ts';
export { digest, notice, push, rebuild, reconcileTasks } from './deliveries.ts';
