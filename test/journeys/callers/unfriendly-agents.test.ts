// What agents may do wrong, or too much of, as their callers over A2A see it.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createGzip } from 'node:zlib';
import { type Part, SendMessageRequest, type Task, TaskState, taskStateToJSON } from '@a2a-js/sdk';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type A2aCaller, type AgentTurn, createA2aCaller } from '../../rigs/agents/a2a-caller.ts';
import { drained, type RawAgent, startRawAgent } from '../../rigs/agents/raw-agent.ts';
import { runs } from '../../rigs/properties.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { longMs } from '../setting.ts';
import { startProduct } from '../start-product.ts';

let agent: RawAgent;
let client: A2aCaller;

const million = 1_000_000;
const chunk = (n: number): string => `${String(n).padStart(9, '0')} ${'x'.repeat(million - 10)}`;

const textOf = (parts: Part[]): string =>
  parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('');
const stateOf = (task: Task): string => taskStateToJSON(task.status?.state ?? TaskState.UNRECOGNIZED).slice(11);
const wordsOf = ({ history }: Task): string[] => history.map(({ parts }) => textOf(parts));
const statesOf = ({ events }: AgentTurn): string[] =>
  events.flatMap(({ payload }) =>
    payload?.$case === 'statusUpdate' ? [taskStateToJSON(payload.value.status?.state ?? 0).slice(11)] : [],
  );

const { supervisor, up } = startProduct(async () => {
  agent = await startRawAgent(supervisor, {
    async chunks({ text, status, artifact }) {
      await status('WORKING');
      const count = Number(text);
      for (let n = 0; n < count; n += 1) await artifact([{ text: chunk(n) }], { append: n > 0 });
      await status('COMPLETED');
    },
    // They keep their task, as agents do: a client that loses the stream reads it. After `cutAt` events it is cut.
    async tokens({ text, status, artifact, keep, response }) {
      const [count = 0, cutAt] = text.split(' ').map(Number);
      const parts = Array.from({ length: count }, (_, n) => ({ text: `t${n} ` }));
      keep({ status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{ artifactId: 'a', parts }] });
      for (const [n, part] of parts.entries()) {
        if (n === cutAt) {
          response.destroy();
          return;
        }
        await artifact([part], { append: n > 0 });
      }
      await status('COMPLETED');
    },
    async statuses({ taskId, text, status, keep, response }) {
      const [count = 0, cutAt] = text.split(' ').map(Number);
      const words = Array.from({ length: count }, (_, n) => `step ${n} `);
      const history = words.map((word, n) => ({
        messageId: `${taskId}-${n + 1}`,
        role: 'ROLE_AGENT',
        parts: [{ text: word }],
      }));
      keep({ status: { state: 'TASK_STATE_COMPLETED' }, history });
      for (const [n, word] of words.entries()) {
        if (n === cutAt) {
          response.destroy();
          return;
        }
        await status('WORKING', word);
      }
      await status('COMPLETED');
    },
    async repeats({ status, artifact }) {
      // The rest of an artifact before its beginning, an update twice, and two ends.
      await artifact([{ text: 'rest ' }], { artifactId: 'early', append: true });
      await status('WORKING', 'once');
      await status('WORKING', 'twice');
      await artifact([{ text: 'whole' }], { lastChunk: true });
      await artifact([{ text: 'whole' }], { lastChunk: true });
      await status('COMPLETED', 'done');
      await status('COMPLETED', 'done');
      await status('WORKING', 'after the end');
    },
    async moves({ contextId, send, status, artifact, keep }) {
      await status('WORKING', 'mine');
      await artifact([{ text: 'my part' }]);
      const theirs = { taskId: 'somebody-else', contextId };
      const artifactOf = { artifactId: 'b', parts: [{ text: 'not yours' }] };
      await send({ artifactUpdate: { ...theirs, artifact: artifactOf } });
      await send({ statusUpdate: { ...theirs, status: { state: 'TASK_STATE_COMPLETED' } } });
      keep({
        status: { state: 'TASK_STATE_COMPLETED' },
        artifacts: [{ artifactId: 'a', parts: [{ text: 'my part, whole' }] }],
      });
    },
    async strange({ send, status, artifact }) {
      await send({ whoKnows: { what: 1 } });
      await send([] as object);
      await artifact([{ hologram: { rays: 7 } }, { text: 'plain' }, { data: { __proto__: 1, ok: [null] } }]);
      await status('DREAMING', 'of sheep');
      await status('COMPLETED');
    },
    async forever({ status }) {
      await status('WORKING', 'for ever');
      await new Promise(() => undefined);
    },
    async cut({ status, artifact, keep, response }) {
      await status('WORKING', 'before');
      await artifact([{ text: 'one ' }]);
      await artifact([{ text: 'two ' }], { append: true });
      keep({
        status: { state: 'TASK_STATE_COMPLETED' },
        artifacts: [{ artifactId: 'a', parts: [{ text: 'one two three' }] }],
      });
      response.write('data: {"jsonrpc":"2.0","id":1,"result":{"artifactUpdate":{"artif');
      await new Promise((done) => setImmediate(done));
      response.destroy();
    },
    async html({ response }) {
      response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Internal Server Error</h1>');
    },
    async bomb({ response }) {
      // A gigabyte in about a megabyte, as one line of a stream.
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      const gzip = createGzip();
      gzip.pipe(response);
      const block = Buffer.alloc(million, 'a');
      gzip.write('data: ');
      for (let n = 0; n < 1_000 && !response.destroyed; n += 1) if (!gzip.write(block)) await drained(gzip, response);
      gzip.end();
      await new Promise((done) => response.once('close', done));
    },
  });
  return [
    'agents:',
    `  raw: { url: '${agent.url}' }`,
    `  bounded: { url: '${agent.url}', limits: { total: 2s } }`,
    'agentOutage: 3s',
  ].join('\n');
});
beforeAll(async () => {
  client = await createA2aCaller(`${up.url}/a2a/raw/`);
});

/** The most memory that Standfast has had so far, in MB. */
async function peakMb(): Promise<number> {
  const status = await readFile(`/proc/${up.process.pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

function whenOver(id: string): Promise<Task> {
  return waitFor(
    async () => {
      const task = await client.getTask(id);
      return ['COMPLETED', 'FAILED', 'CANCELED', 'REJECTED'].includes(stateOf(task)) ? task : undefined;
    },
    longMs,
    `the end of ${id}`,
  );
}

// Promise V22
describe('the caller of an agent behind Standfast', () => {
  test('the caller of an agent behind Standfast gets an artifact of 40 MB whole, in its order, by its stream and later', async () => {
    const turn = await client.send('chunks 40');
    const isWhole = (text: string): boolean => {
      const places = Array.from({ length: 40 }, (_, n) => text.slice(n * million, n * million + 9));
      return text.length === 40 * million && places.every((place, n) => Number(place) === n);
    };
    expect([turn.error, isWhole(turn.texts.get('a') ?? '')]).toEqual([null, true]);
    const task = await client.getTask(turn.taskId);
    expect([stateOf(task), isWhole(textOf(task.artifacts[0]?.parts ?? []))]).toEqual(['COMPLETED', true]);
  });

  test('the caller of an agent behind Standfast sees that more was sent than is kept, and the agent is asked to stop', async () => {
    const turn = await client.send('chunks 90');
    const task = await whenOver(turn.taskId);
    expect(stateOf(task)).toBe('FAILED');
    expect(textOf(task.status?.message?.parts ?? [])).toMatch(/more than the 64 MiB/);
    expect(agent.cancelled).toHaveLength(1);
  });

  test.each([
    ['a text of thousands of tokens', `tokens ${runs(20_000)}`, (task: Task) => task.artifacts[0]?.parts ?? []],
    [
      'thousands of updates',
      `statuses ${runs(10_000)}`,
      ({ history }: Task) => history.slice(1).flatMap(({ parts }) => parts),
    ],
    ['a text whose stream is cut', 'tokens 300 100', (task: Task) => task.artifacts[0]?.parts ?? []],
    [
      'updates whose stream is cut',
      'statuses 300 100',
      ({ history }: Task) => history.slice(1).flatMap((m) => m.parts),
    ],
  ])('the caller of an agent behind Standfast gets %s, each once and in its order', async (_what, script, partsOf) => {
    const turn = await client.send(script);
    expect(turn.error).toBeNull();
    const task = await client.getTask(turn.taskId);
    expect([stateOf(task), textOf(task.status?.message?.parts ?? [])]).toEqual(['COMPLETED', '']);
    const numbers = textOf(partsOf(task)).match(/\d+/g)?.map(Number);
    expect(numbers).toEqual(Array.from({ length: Number(script.split(' ')[1]) }, (_, n) => n));
  });

  test('the caller of an agent behind Standfast has what comes twice as it came, and one end', async () => {
    const turn = await client.send('repeats');
    expect(statesOf(turn)).toEqual(['WORKING', 'WORKING', 'COMPLETED']);
    const task = await client.getTask(turn.taskId);
    expect(wordsOf(task)).toEqual(['repeats', 'once', 'twice']);
    expect(task.artifacts.map(({ artifactId, parts }) => [artifactId, textOf(parts)])).toEqual([
      ['early', 'rest '],
      ['a', 'whole'],
    ]);
  });

  test('the caller of an agent behind Standfast gets nothing of another task that the agent speaks of in its stream', async () => {
    const turn = await client.send('moves');
    expect(JSON.stringify(turn.events)).not.toMatch(/not yours|somebody-else/);
    const task = await whenOver(turn.taskId);
    expect([stateOf(task), task.artifacts.map(({ parts }) => textOf(parts))]).toEqual([
      'COMPLETED',
      ['my part, whole'],
    ]);
  });

  test('the caller of an agent behind Standfast gets what can be understood of unknown events and parts', async () => {
    const turn = await client.send('strange');
    expect([turn.error, turn.texts.get('a'), statesOf(turn).at(-1)]).toEqual([null, 'plain', 'COMPLETED']);
    expect(({} as { ok?: unknown }).ok).toBeUndefined();
  });

  test('the caller of an agent behind Standfast sees why a task ended that the agent never ends', async () => {
    const bounded = await createA2aCaller(`${up.url}/a2a/bounded/`);
    const turn = await bounded.send('forever');
    expect(statesOf(turn).at(-1)).toBe('FAILED');
    const task = await bounded.getTask(turn.taskId);
    expect(textOf(task.status?.message?.parts ?? [])).toMatch(/limits\.total/);
  });

  test('the caller of an agent behind Standfast gets each word once where the connection is closed in the middle of an event', async () => {
    const turn = await client.send('cut');
    expect([turn.error, turn.texts.get('a'), statesOf(turn).at(-1)]).toEqual([null, 'one two three', 'COMPLETED']);
    expect(agent.received.get('cut')).toBe(1);
  });

  test.each(['html', 'bomb'])(
    'the caller of an agent behind Standfast sees that operators are asked where the agent answers with a %s',
    async (name) => {
      const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: name }] };
      const task = await client.client.sendMessage(SendMessageRequest.fromJSON({ message }));
      const text = 'messageId' in task ? '' : textOf(task.status?.message?.parts ?? []);
      expect(text).toMatch(/^Asked operator: Did raw act on the message\?$/);
    },
  );

  test('the caller of an agent behind Standfast leaves Standfast the memory that it needs', async () => {
    expect(await peakMb()).toBeLessThan(1_500);
  });
});
