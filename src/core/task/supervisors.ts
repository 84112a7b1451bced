// Supervisor agents: which are asked to decide a hold, until when, and with which result.
import type { HoldId } from '../../contract/base/id-types.ts';
import type { Principal } from '../../contract/base/principal.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import type { SupervisorCall } from '../../contract/configuration/policy.ts';
import { namesOf } from '../policy/audience-entry.ts';
import { type Outcome, type TaskEffect, type TaskEvent, type TaskState, openHoldsOf } from './task-state.ts';

/** How long an agent has if its question neither expires nor escalates. */
const maxWaitMs = 21 * 86_400_000;

/** The number of a call that no step makes. */
export const openingCall = -1;
export const handoverCall = (amended: number): number => openingCall - amended;

/** Names of the agents among audience entries, without the agent that asks. */
export function agentsAmong(entries: readonly string[], own: string): string[] {
  return [...new Set(namesOf(entries, 'agent'))].filter((name) => name !== own);
}

/** As whom a supervisor agent answers. */
export const supervisorPrincipal = (agent: string): Principal => ({ id: `agent:${agent}`, roles: [], isSuper: false });

/** Why no agent decides such a question, or null. */
export function whyPeopleOnly({ question: { kind, secrets }, plan }: Pick<Hold, 'question' | 'plan'>): string | null {
  if (plan.sign !== undefined) return 'its policy has a person sign with a passkey';
  if (kind === 'operator') return 'what becomes of an unconfirmed message is an operator’s decision';
  if (kind === 'authorization') return 'a permission is given by a person';
  return secrets.length > 0 ? 'a secret is asked of people only' : null;
}

/**
 * The hold with these agents called. Each has time until the question escalates or expires; reminders do not shorten
 * it.
 */
export function withCalls(hold: Hold, agents: readonly string[], call: number, at: string): Hold {
  const { plan, stepsTaken } = hold;
  if (agents.length === 0) return hold;
  const moves = plan.steps.slice(stepsTaken).find((step) => step.do === 'escalate' && step.at > at);
  const until = moves?.at ?? plan.expiresAt ?? new Date(Date.parse(at) + maxWaitMs).toISOString();
  const calls = agents.map((agent): SupervisorCall => ({ agent, call, at, until, doneAt: null, why: null }));
  return { ...hold, plan: { ...plan, supervisors: [...plan.supervisors, ...calls] } };
}

/** The effects that ask the called agents that have not answered. */
export function callsUnderWay({ holdId, status, plan }: Hold): TaskEffect[] {
  if (status !== 'open') return [];
  return plan.supervisors
    .filter(({ doneAt }) => doneAt === null)
    .map(({ agent, call }) => ({ kind: 'askSupervisor', holdId, agent, stepIndex: call }));
}

/** The call that an effect or an event refers to. */
export function callOf(
  state: TaskState,
  named: { holdId: HoldId; agent: string; call: number },
): SupervisorCall | null {
  const hold = openHoldsOf(state).find(({ holdId }) => holdId === named.holdId);
  const calls = hold?.plan.supervisors ?? [];
  return calls.find(({ agent, call }) => agent === named.agent && call === named.call) ?? null;
}

/** Records that an agent has answered, or why it did not decide. */
export function onSupervisorDone(
  state: TaskState,
  event: Extract<TaskEvent, { type: 'supervisor.done' }>,
  now: string,
): Outcome {
  const { holdId, why } = event;
  const done = callOf(state, event);
  if (done === null) return { state, effects: [], reply: { ok: true } };
  const holds = state.holds.map((hold): Hold => {
    if (hold.holdId !== holdId) return hold;
    const supervisors = hold.plan.supervisors.map((call) => (call === done ? { ...call, doneAt: now, why } : call));
    return { ...hold, plan: { ...hold.plan, supervisors } };
  });
  const effects: TaskEffect[] = [{ kind: 'amendHolds', holdIds: [holdId], run: null, failed: null }];
  return { state: { ...state, holds }, effects, reply: { ok: true } };
}
