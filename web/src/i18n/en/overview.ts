// The words of the overview.
import { define } from '../define.ts';
import { plural } from '../plural.ts';

interface Fate {
  approved: number;
  answered: number;
  refused: number;
  expired: number;
  other: number;
}

interface Replay {
  days: number;
  asked: number;
  sooner: number;
  spared: number;
  /** A duration; '' for none. */
  waited: string;
}

const fates = ({ approved, answered, refused, expired, other }: Fate): string =>
  `${approved} approved, ${answered} answered, ${refused} refused, ${expired} expired, ${other} ended otherwise`;

export const overview = /* @__PURE__ */ define('overview', {
  window: 'Time',
  lastDays: (n: number): string => `Last ${n} days`,
  open: 'Open now',
  oldest: (ago: string, unclaimed: number): string => `oldest asked ${ago}, ${unclaimed} unclaimed`,
  ofOpen: (n: number): string => `of ${n} open`,
  overdue: 'Overdue',
  keptOpen: 'past their deadline',
  none: 'none',
  nothing: '–',
  soon: 'Due within 1 h',
  reassignAsked: 'Asked to be reassigned',
  undecidable: 'No one can decide',
  passOn: 'to be passed on',
  byThoseAsked: 'by people who are asked',
  median: 'Median answer',
  expired: 'Expired unanswered',
  allOf: (policy: string): string => `all policy ${policy}`,
  noBefore: 'nothing before to compare',
  trends: {
    more: (by: string): string => `▲ ${by} more than before`,
    less: (by: string): string => `▼ ${by} less than before`,
    same: (_by: string): string => 'as before',
  },
  volume: 'Questions a day',
  volumeSays: (all: Fate): string => `In this time: ${fates(all)}.`,
  day: (day: string, all: Fate): string => `${day}: ${fates(all)}`,
  hours: 'When they are asked',
  hour: (day: string, hour: number, asked: number, answered: number): string =>
    `${day} ${hour}:00: ${asked} asked, ${answered} answered`,
  clock: (hour: number): string => `${hour}:00`,
  waits: 'Who waits on whom now',
  asTable: 'As a table',
  waitColumns: ['Agent', 'Policy', 'Whom it asks', 'Open', 'Overdue'],
  requester: 'the requester',
  against: 'Time to answer against the deadline, by policy',
  took: (half: string, most: string): string => `half in ${half}, 90 % in ${most}`,
  ofLimit: (limit: string): string => ` of ${limit}`,
  undecided: 'none decided',
  counts: {
    open: (n: number): string => `${n} open`,
    refused: (n: number): string => `${n} refused`,
    escalated: (n: number): string => `${n} escalated`,
    expired: (n: number): string => `${n} expired`,
    approvals: (n: number): string => plural(n, 'approval', 'approvals'),
    approvedUnchanged: (n: number): string => `${n} unchanged`,
  },
  nothingAsked: 'Nothing was asked in this time.',
  unchanged: 'Approved as proposed, by agent',
  perTask: (asked: string): string => `${asked} a task`,
  deciders: 'Who decides how much',
  refusedOf: (n: number): string => `${n} refused`,
  half: (duration: string): string => ` · half in ${duration}`,
  nothingDecided: 'No decisions in this time.',
  funnel: 'How far questions climb',
  steps: { asked: 'Asked', reminded: 'Reminded', escalated: 'Escalated', expired: 'Expired' },
  percent: (share: number): string => (share > 0 && share < 0.01 ? '< 1 %' : `${Math.round(share * 100)} %`),
  rules: 'Rules from the record',
  noRules: 'No question follows a rule: none was answered as proposed at least 20 times, every time.',
  every: (agent: string, times: number): string => `${agent}: approved unchanged ${times} of ${times} times`,
  makeRule: 'Make it a policy',
  ways: {
    defaults: 'What the agent proposes would be sent after 15 minutes without an answer.',
    agent: 'Another agent would be asked first, and people after 5 minutes.',
  },
  replay: {
    defaults: ({ days, asked, sooner, spared, waited }: Replay): string =>
      `In the last ${days} days: of ${plural(asked, 'question', 'questions')} people would have answered ${sooner} as they did, and ${spared} would have been sent without an answer${waited === '' ? '' : `, ${waited} sooner in all`}.`,
    agent: ({ days, asked, waited }: Replay): string =>
      `In the last ${days} days: ${plural(asked, 'question', 'questions')} would have gone to the agent first${waited === '' ? '' : `; they waited ${waited} for people in all`}.`,
  },
  yaml: 'For standfast.yaml',
});
