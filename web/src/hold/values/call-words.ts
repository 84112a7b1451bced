// The state of calls of agents that may decide: who is still being asked, and why one did not decide.
import { hasEnded } from '../../../../src/contract/holds/hold-names.ts';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { strings } from '../../i18n/strings.ts';
import { oneLine } from '../../base/text/visible.ts';

const words = strings.hold.calls;
const whyChars = 200;

export type Call = HoldView['supervisors'][number];

/** `at` says a time as the reader knows it. The reason may be the agent's own words: in quotes, on one line. */
export function formatCall(
  { status }: Pick<HoldView, 'status'>,
  { until, doneAt, why }: Call,
  at: (iso: string) => string,
): string {
  if (doneAt !== null) return why === null ? words.answered : words.failed(oneLine(why, whyChars));
  return hasEnded(status) ? words.overtaken : words.pending(at(until));
}

/** Of each agent its last call, while the question is open: a decision need not wait for one that has failed. */
export function callsShown({ status, supervisors }: Pick<HoldView, 'status' | 'supervisors'>): Call[] {
  return hasEnded(status) ? [] : [...new Map(supervisors.map((call) => [call.agent, call])).values()];
}
