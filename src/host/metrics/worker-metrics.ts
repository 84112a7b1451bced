import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { taskErrorCodes } from '../../contract/tasks/task.ts';
import { createLevelMetrics, type LevelMetrics } from './service-levels.ts';

/** What a worker counts; labels are names of the configuration and of Standfast, never people's words. */
export interface WorkerMetrics {
  turns: Histogram<'agent' | 'result'>;
  agentErrors: Counter<'agent' | 'cause'>;
  questionEvents: Counter<'policy' | 'event'>;
  decisionWait: Histogram<'policy'>;
  tasksEnded: Counter<'agent' | 'status' | 'code'>;
  notices: Counter<'channel' | 'result'>;
  undecidedResults: Counter<'agent'>;
  callerPushes: Counter<'result'>;
  reconciled: Counter<'result'>;
  refusedSignatures: Counter;
  deadWorkers: Counter;
  /** Of any process. */
  clockAhead: Gauge;
  levels: LevelMetrics;
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

export function createWorkerMetrics(registry: Registry): WorkerMetrics {
  const registers = [registry];
  return {
    turns: new Histogram({
      name: 'standfast_turn_seconds',
      help: 'Duration of exchanges with an agent, by how they ended.',
      labelNames: ['agent', 'result'],
      buckets: [0.1, 0.5, 2, 10, minute, 10 * minute, hour],
      registers,
    }),
    agentErrors: new Counter({
      name: 'standfast_agent_errors_total',
      help: 'Calls of an agent that failed, retried ones included, by cause.',
      labelNames: ['agent', 'cause'],
      registers,
    }),
    questionEvents: new Counter({
      name: 'standfast_question_events_total',
      help: 'What happened to questions, by policy: opened, vote, reminded, escalated, reassigned, decided, expired, ended.',
      labelNames: ['policy', 'event'],
      registers,
    }),
    decisionWait: new Histogram({
      name: 'standfast_decision_wait_seconds',
      help: 'Time from a question to its decision, by policy.',
      labelNames: ['policy'],
      buckets: [10, minute, 5 * minute, 15 * minute, hour, 4 * hour, 12 * hour, day, 3 * day, 7 * day, 30 * day],
      registers,
    }),
    tasksEnded: new Counter({
      name: 'standfast_tasks_ended_total',
      help: 'Tasks that ended, by status and, of failed ones, error code.',
      labelNames: ['agent', 'status', 'code'],
      registers,
    }),
    notices: new Counter({
      name: 'standfast_notices_total',
      help: 'Notices to channels: sent (or nothing was left to send), failed (tried again), given_up.',
      labelNames: ['channel', 'result'],
      registers,
    }),
    undecidedResults: new Counter({
      name: 'standfast_undecided_results_total',
      help: 'Results of tools that have to be asked about, whose call was not decided here.',
      labelNames: ['agent'],
      registers,
    }),
    callerPushes: new Counter({
      name: 'standfast_caller_pushes_total',
      help: 'Push notifications to callers: sent, failed (tried again), refused, given_up.',
      labelNames: ['result'],
      registers,
    }),
    reconciled: new Counter({
      name: 'standfast_reconciled_tasks_total',
      help: 'Tasks that the reconciler repaired, and those that it could not, by result.',
      labelNames: ['result'],
      registers,
    }),
    refusedSignatures: new Counter({
      name: 'standfast_evidence_refused_signatures_total',
      help: 'Times at which the evidence was not signed because the chain is not the one that was signed before.',
      registers,
    }),
    deadWorkers: new Counter({
      name: 'standfast_dead_workers_total',
      help: 'Workers that stopped writing heartbeats and did not leave, as this one found them.',
      registers,
    }),
    clockAhead: new Gauge({
      name: 'standfast_clock_ahead_seconds',
      help: 'How far the clock of this process is ahead of Temporal’s (behind: less than 0), as it last read it.',
      registers,
    }),
    levels: createLevelMetrics(registry),
  };
}

/** Of the configuration. */
interface BegunNames {
  agents: string[];
  channels: string[];
  /** With the channels by which each notifies. */
  policies: Record<string, { notify: string[] }>;
}

/**
 * Begins what alerts watch at 0: Prometheus cannot see a counter rise that it first reads at 1, and the first notice that
 * is given up may stay the only one.
 */
export function beginAtZero(
  { notices, undecidedResults, tasksEnded, levels }: WorkerMetrics,
  { agents, channels, policies }: BegunNames,
): void {
  for (const agent of agents) {
    undecidedResults.inc({ agent }, 0);
    levels.begin('answer', { agent });
    for (const code of taskErrorCodes) tasksEnded.inc({ agent, status: 'FAILED', code }, 0);
  }
  for (const channel of channels)
    for (const result of ['sent', 'failed', 'given_up']) notices.inc({ channel, result }, 0);
  for (const [policy, { notify }] of Object.entries(policies)) {
    levels.begin('deadline', { policy });
    for (const channel of notify) levels.begin('first-notice', { policy, channel });
  }
}
