export { a2aTask } from './task.ts';
export { digest, notice, push, rebuild, reconcileTasks } from './deliveries.ts';

// From source the SDK takes the stack of each promise and maps each of its frames (the build leaves that out). So many are enough
// to find a mistake.
Error.stackTraceLimit = 3;
