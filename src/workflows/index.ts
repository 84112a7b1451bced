export { a2aTask } from './task.ts';
export { digest, notice, push, rebuild, reconcileTasks } from './deliveries.ts';

// The SDK takes the stack of each promise, and looks each of its frames up in the source map. So many are enough to find a mistake.
Error.stackTraceLimit = 3;
