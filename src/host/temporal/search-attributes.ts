/** The search attributes of every task (docs/operate.md), and their types as Temporal names them. */
export const searchAttributes = {
  HoldpointAgent: 'Keyword',
  HoldpointA2ATaskId: 'Keyword',
  HoldpointContextId: 'Keyword',
  HoldpointStatus: 'Keyword',
  HoldpointOpenHolds: 'Int',
  HoldpointDeadline: 'Datetime',
  HoldpointAudience: 'KeywordList',
} as const;

export type SearchAttributeName = keyof typeof searchAttributes;
export type SearchAttributeType = (typeof searchAttributes)[SearchAttributeName];
