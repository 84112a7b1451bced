// What counts toward the service levels: each first message about a question, and each answer, once.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { Registry } from 'prom-client';
import { deliverNotice } from '../../src/activities/notices/deliver-notice.ts';
import { ConfigSchema } from '../../src/contract/configuration/config.ts';
import { createWorkerMetrics } from '../../src/host/metrics/worker-metrics.ts';
import type { HoldRow, Store } from '../../src/store/store.ts';
import { createScriptedAgent } from '../rigs/agents/scripted-agent.ts';
import { after, aHold, aHoldRow } from '../rigs/factories.ts';
import { startHttpSink, startMailSink, type HttpSink, type MailSink } from '../rigs/sinks.ts';
import { openTestStore } from '../rigs/store/test-store.ts';
import { waitFor } from '../rigs/wait-for.ts';
import { withDigest } from '../store/rows.ts';
import { answeredBy, aTurn, depsOf } from './turns.ts';

let store: Store;
let mail: MailSink;
let hook: HttpSink;
beforeAll(async () => {
  store = await openTestStore();
});
beforeEach(async () => {
  [mail, hook] = await Promise.all([startMailSink(), startHttpSink()]);
});
afterEach(async () => {
  await Promise.all([mail.close(), hook.close()]);
});
afterAll(() => store?.close());

let count = 0;
async function aRow(): Promise<HoldRow> {
  count += 1;
  const hold = aHold({ n: count, policy: { audience: ['role:finance'], expire: { after: '72h' } } });
  const row = withDigest(aHoldRow({ ...hold, agent: 'fake' }));
  await store.holds.putOnce([row]);
  return row;
}

type Given = { hours?: { zone: string; hours: string }; digest?: string };

/** fay and finn are asked; `given` is fay's. */
function configOf(given: Given = {}): ReturnType<typeof ConfigSchema.parse> {
  const key = (user: string): object => ({
    user,
    roles: ['finance'],
    key: `the key of ${user}, long`,
  });
  return ConfigSchema.parse({
    agents: { fake: { url: 'http://127.0.0.1:1/' } },
    policies: { finance: { notify: ['mail'] } },
    notifications: {
      channels: {
        mail: {
          type: 'mail',
          server: mail.server,
          from: 'standfast@example.org',
        },
        chat: { type: 'slack', url: hook.url },
        hook: {
          type: 'webhook',
          url: hook.url,
          secret: `whsec_${Buffer.from('a secret of 24 bytes ok').toString('base64')}`,
        },
      },
    },
    users: {
      fay: { email: 'fay@example.org', ...given },
      finn: { email: 'finn@example.org' },
    },
    auth: { keys: [key('fay'), key('finn')] },
  });
}

interface Case {
  channel: string;
  /** When it is sent. */
  at: string;
  event?: 'opened' | 'reminder';
  config?: ReturnType<typeof configOf>;
  tries?: number;
  row?: HoldRow;
}

/** The lines of the histogram after so many attempts. */
async function noticed({ channel, at, event = 'opened', config = configOf(), tries = 1, row }: Case): Promise<string> {
  const registry = new Registry();
  const noAgent = (): never => Promise.reject(new Error('no agent is asked')) as never;
  const deps = {
    ...depsOf(store, noAgent, { config }),
    metrics: createWorkerMetrics(registry),
    now: () => new Date(at),
  };
  const { holdId } = row ?? (await aRow());
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    const info = {
      attempt,
      scheduledTimestampMs: Date.now(),
      scheduleToCloseTimeoutMs: 10 * 86_400_000,
    };
    const environment = new MockActivityEnvironment(info, {
      logger: new DefaultLogger('ERROR'),
    });
    await environment.run(() => deliverNotice(deps, { holdId, event, k: 0, channel })).catch(() => undefined);
  }
  const text = await registry.getSingleMetricAsString('standfast_first_notice_seconds');
  return [...text.matchAll(/_(?:sum|count)\{[^}]*\} \S+/g)].map(([line]) => line).join('\n');
}
const sums = (channel: string, seconds: number, times: number): string =>
  ['sum', 'count']
    .map((what, index) => `_${what}{policy="finance",channel="${channel}"} ${[seconds, times][index] ?? ''}`)
    .join('\n');

describe('the first message about a question', () => {
  test.each([
    ['chat', 1],
    ['hook', 1],
    ['mail', 2],
  ])(
    'the first message about a question by %s counts with its seconds, once for each reader',
    async (channel, readers) => {
      expect(await noticed({ channel, at: after('1m') })).toBe(sums(channel, readers * 60, readers));
    },
  );

  test('the first message about a question that was sent counts once, however often its activity is tried', async () => {
    expect(await noticed({ channel: 'mail', at: after('1m'), tries: 3 })).toBe(sums('mail', 120, 2));
  });

  test('the first message about a question counts from the beginning of its reader’s hours', async () => {
    const at = after('25h');
    const day = new Date(at).toLocaleDateString('en', {
      weekday: 'short',
      timeZone: 'UTC',
    });
    const midnight = Date.parse(`${at.slice(0, 10)}T00:00:00.000Z`);
    const config = configOf({
      hours: { zone: 'UTC', hours: `${day} 00:00-24:00` },
    });
    const seconds = (Date.parse(at) - midnight) / 1000 + 25 * 3600;
    expect(await noticed({ channel: 'mail', at, config })).toBe(sums('mail', seconds, 2));
  });

  test('the first message about a question that is given up counts as one that never came', async () => {
    hook.answers.push({ status: 410 });
    expect(await noticed({ channel: 'chat', at: after('1m') })).toBe(sums('chat', 7 * 86_400, 1));
  });

  test('the first message about a question is no reminder', async () => {
    expect(await noticed({ channel: 'mail', at: after('1m'), event: 'reminder' })).toBe('');
  });
});

describe('an answer', () => {
  test('an answer counts once with the time from its decision to its agent, also where a later attempt follows the task', async () => {
    const turn = await aTurn(store, createScriptedAgent('levels'), {}, 'levels');
    const registry = new Registry();
    turn.deps.metrics = createWorkerMetrics(registry);
    const { outcome } = turn.attempt(1);
    await turn.agent.untilRead();
    turn.agent.state('input-required', 'Which colour?');
    await outcome;
    const read = (): Promise<string> => registry.getSingleMetricAsString('standfast_answer_seconds');
    expect(await read()).not.toContain('_count');
    const [hold] = await store.holds.ofTask(turn.input.task.taskId);
    if (hold === undefined) throw new Error('the question was not opened');
    const send = answeredBy(hold, 'blue');
    if (send.kind === 'answers' && send.answers[0]?.closed.decision)
      send.answers[0].closed.decision.at = new Date(Date.now() - 45_000).toISOString();
    const { a2aTaskId, contextId, message } = turn.agent.task();
    const next = {
      turn: 2,
      runId: `${turn.input.runId}-2`,
      opener: 'standfast',
      messageRunId: null,
      n: 1,
    } as const;
    const known = {
      a2aTaskId,
      contextId,
      pauseMessageId: message?.messageId ?? null,
    };
    const first = turn.attempt(1, { ...next, ...known, send });
    await waitFor(() => turn.agent.sent.length === 2, 5_000, 'the answer at the agent');
    await waitFor(async () => (await read()).includes('_count{agent="levels"} 1'), 5_000, 'the answer to be counted');
    await first.stop();
    const later = turn.attempt(2, { ...next, ...known, send });
    await turn.agent.untilRead();
    turn.agent.state('completed');
    expect(await later.outcome).toMatchObject({ kind: 'ended' });
    const text = await read();
    expect(text).toContain('_count{agent="levels"} 1');
    expect(text).toContain('le="30",agent="levels"} 0');
    expect(text).toContain('le="60",agent="levels"} 1');
  });
});
