// The ids that are easily taken for one another: all are text, and several are given to one function by position.

declare const what: unique symbol;

/**
 * Text that is known to name one sort of thing. Nothing of it exists when the program runs. Plain text passes for
 * each of them, because it is what rows, requests and agents bring; from there on one sort is refused for another.
 */
type Id<What extends string> = string & { readonly [what]?: What };

/** Standfast's own id of a task. */
export type TaskId = Id<'task'>;
/** The id by which the agent knows a task. */
export type A2aTaskId = Id<'a2a task'>;
export type HoldId = Id<'hold'>;
/** The id by which front ends answer a hold. */
export type InterruptId = Id<'interrupt'>;
/** Of an AG-UI run, not of Temporal's. */
export type RunId = Id<'run'>;
export type ThreadId = Id<'thread'>;
export type WorkflowId = Id<'workflow'>;
