// The words of the history.
import { define } from '../define.ts';

export const history = /* @__PURE__ */ define('history', {
  endedDays: 'Ended on each day',
  endedOn: (day: string, n: number): string => `${day}: ${n} ended`,
  dragDays: 'Press a day, or drag over several',
  csv: 'Download as CSV',
  list: 'What has ended, the latest first',
  search: 'Search',
  searchHint: 'Words, names, arguments',
  requester: 'Requester',
  by: 'Ended by',
  end: 'How it ended',
  anyEnd: 'Any end',
  ends: {
    approved: 'Approved',
    answered: 'Answered',
    declined: 'Refused',
    expired: 'Expired',
    withdrawn: 'Withdrawn',
    superseded: 'Asked again',
    cancelled: 'Cancelled',
  },
  when: 'Ended',
  anyTime: 'At any time',
  periods: { today: 'Today', week: 'The last 7 days', month: 'The last 30 days' },
  ownDays: 'From … to …',
  from: 'From',
  to: 'To',
  ofPolicy: (name: string): string => `of policy ${name}`,
  none: 'Nothing has ended yet.',
  noneFits: 'Nothing that has ended fits this search.',
});
