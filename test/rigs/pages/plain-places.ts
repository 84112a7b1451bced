// The pages without parameters as journeys open them in the office, one that is new included.
import { plainPages } from '../../../src/contract/views/page-names.ts';
import type { officeKeys } from './office.ts';

export interface Place {
  path: string;
  who: keyof typeof officeKeys;
  /** What is there once the page is. */
  shows: string;
}

type PageName = (typeof plainPages)[keyof typeof plainPages];

/** Missing: an operator sees a page's title. */
const own: Partial<Record<PageName, Partial<Place>>> = {
  requests: { who: 'rita', shows: '.line' },
  history: { who: 'anna', shows: '.line' },
  overview: { shows: '.chart' },
  tasks: { shows: '.line' },
  operations: { shows: '.figures' },
  grants: { shows: '.empty' },
  agents: { shows: '.card' },
  policies: { shows: '.ladder-line' },
  settings: { shows: '.choice' },
};

export const plainPlaces: readonly Place[] = Object.entries(plainPages).map(([path, page]) => ({
  path,
  who: 'ops',
  shows: 'h1',
  ...own[page],
}));
