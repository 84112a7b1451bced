// Whoever sent a message in a task counts as a requester: where the requester may not decide, neither may they.
import type { Hold } from '../../contract/holds/hold.ts';
import type { Principal } from '../../contract/base/principal.ts';
import type { TaskState } from './task-state.ts';

/** The state with this person among the speakers, and their votes removed where they may not decide any more. */
export function withSpeaker(state: TaskState, { id, actor }: Principal): TaskState {
  const added = [id, ...(actor === undefined ? [] : [actor])].filter((one) => one !== state.owner);
  const spoke = [...new Set([...state.spoke, ...added])];
  if (spoke.length === state.spoke.length) return state;
  return {
    ...state,
    spoke,
    holds: state.holds.map((hold) => (hold.status === 'open' ? withRequesters(hold, spoke) : hold)),
  };
}

/** An open hold with those who spoke before it as requesters. */
export function withRequesters(hold: Hold, spoke: readonly string[]): Hold {
  const { plan, votes } = hold;
  if (spoke.length === 0 || !plan.exclude.includes('requester')) return hold;
  return {
    ...hold,
    votes: votes.filter(({ by }) => !spoke.includes(by)),
    plan: { ...plan, requesters: [...spoke] },
  };
}
