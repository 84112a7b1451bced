/** The search attributes of every task (docs/operate/run.md), with Temporal's types. */
export const searchAttributes = {
  agent: { name: 'HoldpointAgent', type: 'KEYWORD' },
  a2aTaskId: { name: 'HoldpointA2ATaskId', type: 'KEYWORD' },
  contextId: { name: 'HoldpointContextId', type: 'KEYWORD' },
  status: { name: 'HoldpointStatus', type: 'KEYWORD' },
  openHolds: { name: 'HoldpointOpenHolds', type: 'INT' },
  /** Number, within its task, of the newest question that is open. */
  question: { name: 'HoldpointQuestion', type: 'INT' },
  deadline: { name: 'HoldpointDeadline', type: 'DATETIME' },
  /** Since when its agent takes no message. */
  stuck: { name: 'HoldpointStuck', type: 'DATETIME' },
  audience: { name: 'HoldpointAudience', type: 'KEYWORD_LIST' },
} as const;
export type SearchAttributes = typeof searchAttributes;
