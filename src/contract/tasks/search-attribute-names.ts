/** The search attributes of every task (docs/operate/run.md), with Temporal's types. */
export const searchAttributes = {
  agent: { name: 'StandfastAgent', type: 'KEYWORD' },
  a2aTaskId: { name: 'StandfastA2ATaskId', type: 'KEYWORD' },
  contextId: { name: 'StandfastContextId', type: 'KEYWORD' },
  status: { name: 'StandfastStatus', type: 'KEYWORD' },
  openHolds: { name: 'StandfastOpenHolds', type: 'INT' },
  /** Number, within its task, of the newest question that is open. */
  question: { name: 'StandfastQuestion', type: 'INT' },
  deadline: { name: 'StandfastDeadline', type: 'DATETIME' },
  /** Since when its agent takes no message. */
  stuck: { name: 'StandfastStuck', type: 'DATETIME' },
  audience: { name: 'StandfastAudience', type: 'KEYWORD_LIST' },
} as const;
export type SearchAttributes = typeof searchAttributes;
