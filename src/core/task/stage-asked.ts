// A group that comes to be asked, as the one before it agreed or a vote was taken back, learns of it as at an opening.
import type { Hold } from '../../contract/holds/hold.ts';
import { agentsAmong, callsUnderWay, handoverCall, withCalls } from './supervisors.ts';
import { stageNotices } from './task-notices.ts';
import type { TaskEffect, TaskState } from './task-state.ts';

interface Asked {
  state: TaskState;
  effects: TaskEffect[];
}

/** Notices to those who were not asked in `before`, and the calls of agents among them. */
export function askedNext(before: readonly Hold[], state: TaskState, now: string): Asked {
  return before.reduce<Asked>(
    (so, was) => {
      const hold = so.state.holds.find(({ holdId, status }) => holdId === was.holdId && status === 'open');
      const added = hold?.audience.filter((entry) => !was.audience.includes(entry)) ?? [];
      if (hold?.plan.stages === undefined || added.length === 0) return so;
      const k = so.state.amended + 1;
      const call = handoverCall(k);
      const called = withCalls(hold, agentsAmong(added, state.agent), call, now);
      const asks = callsUnderWay(called).filter((one) => one.kind === 'askSupervisor' && one.stepIndex === call);
      const holds = so.state.holds.map((one) => (one.holdId === hold.holdId ? called : one));
      return {
        state: { ...so.state, amended: k, holds },
        effects: [...so.effects, ...stageNotices(called, k), ...asks],
      };
    },
    { state, effects: [] },
  );
}
