// One client object through a whole conversation: what it holds after each run is what our projection says, so nothing
// is lost, doubled or moved between the run that asks and the run that brings the answers.
import { HttpAgent } from '@ag-ui/client';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { Hold } from '../../../src/contract/holds/hold.ts';
import type { TurnEvent } from '../../../src/contract/tasks/turn.ts';
import { endEvents } from '../../../src/wire/agui/project/end.ts';
import { pauseEvents } from '../../../src/wire/agui/project/pause.ts';
import { turnEvents } from '../../../src/wire/agui/project/project.ts';
import { fc, runs } from '../../rigs/properties.ts';
import { someEvents } from './random-turns.ts';
import { expectValid, sse } from './real-client.ts';
import { aDecision, aHold, aPause, aToolHold, ctx, nextLog, startLog, withEvents, type Log } from './scene.ts';

let warnings: unknown[][];
beforeEach(() => {
  warnings = [];
  jest.spyOn(console, 'warn').mockImplementation((...words: unknown[]) => void warnings.push(words));
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** A run: what the agent sends, what it then asks (how many forms, or about calls), and what people answer. */
const aRun = fc.record({
  turn: someEvents,
  asks: fc.constantFrom('a form', 'two forms', 'about a call'),
  approves: fc.boolean(),
});
const aConversation = fc.record({
  asked: fc.array(aRun, { minLength: 1, maxLength: 4 }),
  last: someEvents,
  end: fc.constantFrom('completed', 'failed'),
});

const callIds = ['c-1', 'adk-7', 'own-3', 'own-4', 'own-5'];
function holdsOf(asks: string, run: number): Hold[] {
  const n = 2 * run + 1;
  // The client refuses answers to what has expired, by its own clock.
  const open = { expiresAt: null, nextStep: null };
  if (asks === 'about a call') return [aToolHold({ ...open, n, tool: { callId: callIds[run] ?? '' } })];
  return asks === 'a form' ? [aHold({ ...open, n })] : [aHold({ ...open, n }), aHold({ ...open, n: n + 1 })];
}

const on = (log: Log, turn: TurnEvent[]): Log =>
  turn.reduce((so, event) => withEvents(so, turnEvents(so.p, event, ctx)), log);
/** Safe: what the client holds came as JSON. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value));

// Promise P3, S7
test("AG-UI's own client holds through a conversation of several runs what our projection says", async () => {
  await fc.assert(
    fc.asyncProperty(aConversation, async ({ asked, last, end }) => {
      let body: () => Promise<Response> = () => Promise.reject(new Error('no run'));
      const clientState: JsonObject = { theme: 'dark' };
      const user = { id: 'u-1', role: 'user' as const, content: 'Book it' };
      const client = new HttpAgent({
        url: 'http://127.0.0.1:9/',
        threadId: 't-1',
        initialMessages: [user],
        initialState: clientState,
        fetch: () => body(),
      });
      const shown = async (log: Log, pending: string[], resume: object): Promise<void> => {
        expectValid(log.events);
        body = sse(log.events);
        await client.runAgent({ runId: log.p.runId, ...resume });
        expect(plain(client.state)).toEqual(log.p.state);
        expect(plain(client.messages)).toEqual(log.p.messages);
        expect(client.pendingInterrupts.map(({ id }) => id)).toEqual(pending);
        expect(warnings).toEqual([]);
      };

      let log = startLog({ clientState });
      let resume: object = {};
      for (const [i, { turn, asks, approves }] of asked.entries()) {
        const holds = holdsOf(asks, i);
        log = on(log, turn);
        log = withEvents(log, pauseEvents(log.p, aPause({ holds, explanationMessageId: `m-ask-${i}` }), ctx));
        const ids = holds.map(({ interruptId }) => interruptId);
        await shown(log, ids, resume);
        const values = asks === 'about a call' ? { approved: approves } : { days: i };
        resume = { resume: ids.map((interruptId) => ({ interruptId, status: 'resolved', payload: values })) };
        log = nextLog(log, {
          runId: `r-${i + 2}`,
          clientState: plain(client.state),
          clientMessages: plain<JsonObject[]>(JSON.parse(JSON.stringify(client.messages))),
          answered: holds.map((hold) => ({ ...hold, decision: aDecision({ values }) })),
        });
      }
      const how =
        end === 'failed'
          ? { kind: 'failed' as const, code: 'agent_failed', message: '' }
          : { kind: 'completed' as const, message: '' };
      log = on(log, last);
      // By a RUN_ERROR the client keeps what it has just answered.
      const kept = end === 'failed' ? client.pendingInterrupts.map(({ id }) => id) : [];
      await shown(withEvents(log, endEvents(log.p, how, ctx)), kept, resume);
    }),
    { numRuns: runs(50) },
  );
});
