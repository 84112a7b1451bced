/** The search attributes of every task (docs/operate/run.md). */
export const searchAttributeNames = {
  agent: 'HoldpointAgent',
  a2aTaskId: 'HoldpointA2ATaskId',
  contextId: 'HoldpointContextId',
  status: 'HoldpointStatus',
  openHolds: 'HoldpointOpenHolds',
  deadline: 'HoldpointDeadline',
  audience: 'HoldpointAudience',
} as const;
