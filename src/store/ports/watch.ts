/** The last seen state of a watched task of the agent's, by which the next poll decides whether it has moved. */
export interface Watch {
  taskId: string;
  agent: string;
  workflowId: string;
  firstExecutionRunId: string;
  a2aTaskId: string;
  /** `pause`: people are asked · `turn`: the turn parked a working task. */
  kind: 'pause' | 'turn';
  /** resume of the turn, or n of the pause's first hold: a late signal about an earlier one is known. */
  watchVersion: number;
  /** Hash of what the agent last reported of it; '' before the first poll. */
  seen: string;
  /** Polls so far. */
  probes: number;
}
