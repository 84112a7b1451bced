import { searchAttributeNames as names } from '../../contract/tasks/search-attribute-names.ts';

/** The search attributes of every task, and their types as Temporal's commands name them. */
export const searchAttributes = {
  [names.agent]: 'Keyword',
  [names.a2aTaskId]: 'Keyword',
  [names.contextId]: 'Keyword',
  [names.status]: 'Keyword',
  [names.openHolds]: 'Int',
  [names.deadline]: 'Datetime',
  [names.audience]: 'KeywordList',
} as const;

export type SearchAttributeName = keyof typeof searchAttributes;
export type SearchAttributeType = (typeof searchAttributes)[SearchAttributeName];
