import { searchAttributes as defined, type SearchAttributes } from '../../contract/tasks/search-attribute-names.ts';

/** Types as Temporal's commands name them. */
const typeNames = { KEYWORD: 'Keyword', INT: 'Int', DATETIME: 'Datetime', KEYWORD_LIST: 'KeywordList' } as const;

export type SearchAttributeName = SearchAttributes[keyof SearchAttributes]['name'];
export type SearchAttributeType = (typeof typeNames)[keyof typeof typeNames];

/** The search attributes of every task, by name. */
export const searchAttributes = Object.fromEntries(
  Object.values(defined).map(({ name, type }) => [name, typeNames[type]]),
) as Record<SearchAttributeName, SearchAttributeType>;
