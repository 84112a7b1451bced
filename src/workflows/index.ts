export { a2aTask } from './task.ts';
export { digest, notice, push, rebuild, reconcileTasks } from './deliveries.ts';

// The SDK takes the stack of each promise and maps each of its frames to the sources. So many are enough to find a mistake.
Error.stackTraceLimit = 3;
