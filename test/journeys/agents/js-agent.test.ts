// Agents on the official JavaScript SDK, as its samples are made, through Standfast: over both versions of A2A and both
// bindings, with streams and without; and what people send along, byte for byte there and back.
import { describe, expect, test } from '@jest/globals';
import { interruptsOf, textsOf } from '../../rigs/streams/agui.ts';
import { runProgram } from '../../rigs/product/standfast.ts';
import { startJsAgent } from '../../rigs/agents/js-agent.ts';
import type { JsAgentKind, JsAgentWire } from '../../rigs/agents/js-agent.ts';
import type { WireEvent } from '../../rigs/streams/sse-stream.ts';
import {
  ended,
  failedWorkflowTasks,
  holdsOf,
  interruptOf,
  longMs,
  openHold,
  readHold,
  tasksOf,
  waitForTask,
} from '../setting.ts';
import { startProduct } from '../start-product.ts';

const wires: (Required<JsAgentWire> & { name: string })[] = [
  { name: 'new-rpc', version: '1.0', binding: 'JSONRPC', streaming: true },
  { name: 'new-rest', version: '1.0', binding: 'HTTP+JSON', streaming: true },
  { name: 'old-rpc', version: '0.3', binding: 'JSONRPC', streaming: true },
  { name: 'old-rest', version: '0.3', binding: 'HTTP+JSON', streaming: true },
  { name: 'polled', version: '1.0', binding: 'JSONRPC', streaming: false },
];
const matrix = wires.flatMap((wire) => (['hello', 'survey', 'reply'] as const).map((kind) => ({ ...wire, kind })));

const wordsOf = (events: readonly WireEvent[]): string[] => [...textsOf(events).values()];
const run = async (agent: string, threadId: string, text: string, end: string): Promise<WireEvent[]> =>
  ended(await up.run(agent, { threadId, text }, longMs), end);
const answer = async (agent: string, threadId: string, asked: WireEvent[], payload: object, end: string) => {
  const resume = [{ interruptId: interruptOf(asked), status: 'resolved' as const, payload }];
  return ended(await up.run(agent, { threadId, resume }, longMs), end);
};

const { supervisor, up } = startProduct(async () => {
  const wanted: { name: string; kind: JsAgentKind; wire: JsAgentWire }[] = [
    ...matrix.map(({ name, kind, ...wire }) => ({ name: `${kind}-${name}`, kind, wire })),
    { name: 'trip', kind: 'trip', wire: {} },
    { name: 'echo', kind: 'echo', wire: {} },
    { name: 'echo-old', kind: 'echo', wire: { version: '0.3' } },
  ];
  const agents = await Promise.all(
    wanted.map(
      async ({ name, kind, wire }) => `  ${name}: { url: '${(await startJsAgent(supervisor, kind, wire)).url}' }`,
    ),
  );
  return `agents:\n${agents.join('\n')}\n`;
});

describe.each(wires)(
  'an agent on the JavaScript SDK that speaks A2A $version over $binding (streams: $streaming)',
  ({ name }) => {
    // Promise P4
    test('an agent on the JavaScript SDK says what it does, gives its artifact and completes', async () => {
      const events = await run(`hello-${name}`, 'hello', 'hi there', 'success');
      expect(wordsOf(events)).toEqual(['I read your message.', 'Hello, you said: hi there']);
      const [task] = await tasksOf(up, `hello-${name}`, 'hello');
      expect(task).toMatchObject({ status: 'DONE', error: null });
    });

    // The SDK begins the stream of a follow-up with the task as it stood, still paused: that is not a new question.
    // Promise B26
    test('an agent on the JavaScript SDK asks twice in text, and each text is shown once', async () => {
      const agent = `survey-${name}`;
      const first = await run(agent, 'twice', 'start', 'interrupt');
      expect(wordsOf(first)).toEqual(['I begin the survey.', 'Which colour?']);
      const second = await answer(agent, 'twice', first, { text: 'green' }, 'interrupt');
      expect(wordsOf(second)).toEqual(['I note green.', 'Which size?']);
      const third = await answer(agent, 'twice', second, { text: 'large' }, 'success');
      expect(wordsOf(third)).toEqual(['I note large.', 'start / green / large', 'Thank you.']);
      expect((await holdsOf(up, agent, 'twice')).map(({ status }) => status)).toEqual(['decided', 'decided']);
    });

    // Promise B31
    test('an agent on the JavaScript SDK is cancelled while it asks, and the question with it', async () => {
      const agent = `survey-${name}`;
      await run(agent, 'cancelled', 'start', 'interrupt');
      const hold = await openHold(up, agent, 'cancelled');
      expect((await up.post(`/api/tasks/${hold.taskId}/cancel`)).status).toBeLessThan(300);
      expect((await waitForTask(up, hold.taskId, 'CANCELED')).status).toBe('CANCELED');
      expect((await readHold(up, hold.id)).status).not.toBe('open');
    });

    // Promise B19
    test('an agent on the JavaScript SDK that answers with a message alone ends the run without a task of its own', async () => {
      const agent = `reply-${name}`;
      expect(wordsOf(await run(agent, 'reply', 'hi', 'success'))).toEqual(['You said: hi']);
      expect((await tasksOf(up, agent, 'reply')).map(({ status, a2aTaskId }) => [status, a2aTaskId])).toEqual([
        ['DONE', null],
      ]);
    });
  },
);

describe('the options of a run', () => {
  // Promise B3
  test.each(['hello-new-rpc', 'hello-old-rest'])(
    'the options of a run reach the agent "%s" and its state',
    async (agent) => {
      const forwardedProps = { a2a: { mode: 'send', artifactBasePath: '/view/results', metadata: { tenant: 'blue' } } };
      const events = ended(await up.run(agent, { threadId: 'options', text: 'hi', forwardedProps }, longMs), 'success');
      const snapshot = events.findLast(({ type }) => type === 'STATE_SNAPSHOT')?.['snapshot'];
      const { results, artifacts } = Object(Reflect.get(Object(snapshot), 'view')) as Record<string, object>;
      expect([Object.values(results ?? {}), artifacts]).toEqual([['Hello, you said: hi'], undefined]);
    },
  );
});

describe('an answer that its agent refuses', () => {
  // Promise B24
  test('an answer that its agent refuses opens a new question with the errors shown and the refused values as defaults', async () => {
    const first = await run('trip', 'refused', 'plan it', 'interrupt');
    const second = await answer('trip', 'refused', first, { days: 9 }, 'interrupt');
    const [interrupt] = interruptsOf(second);
    expect(interrupt?.id).not.toBe(interruptOf(first));
    expect(interrupt?.metadata).toMatchObject({
      standfast: { defaults: { days: 9 }, errors: { days: 'at most 5' } },
    });
    expect(await openHold(up, 'trip', 'refused')).toMatchObject({
      defaults: { days: 9 },
      errors: { days: 'at most 5' },
    });
    const third = await answer('trip', 'refused', second, { days: 4 }, 'success');
    expect(wordsOf(third)).toContain('4 days');
  });
});

// Promise B32
test('an agent that asks is cancelled from the command line, and its question with it', async () => {
  await run('survey-new-rpc', 'by command', 'start', 'interrupt');
  const hold = await openHold(up, 'survey-new-rpc', 'by command');
  const { code, output } = await runProgram(supervisor, ['cancel', hold.taskId, '--url', up.url]);
  expect([code, output]).toEqual([0, expect.stringMatching(/^status: +Cancelled$/m)]);
  expect((await waitForTask(up, hold.taskId, 'CANCELED')).status).toBe('CANCELED');
  expect((await readHold(up, hold.id)).status).not.toBe('open');
});

const bytes = (seed: number): string =>
  Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * seed + 7) % 256)).toString('base64');

const media = [
  { type: 'image', mimeType: 'image/png', filename: 'dot.png' },
  { type: 'audio', mimeType: 'audio/mpeg', filename: 'note.mp3' },
  { type: 'video', mimeType: 'video/mp4', filename: 'clip.mp4' },
  { type: 'document', mimeType: 'application/pdf', filename: 'paper.pdf' },
].map((one, index) => ({ ...one, value: bytes(index + 3), url: `https://files.example/${one.filename}` }));

const filesOf = (events: readonly WireEvent[]): unknown[] =>
  events.flatMap((event) => (event.type === 'CUSTOM' && event['name'] === 'standfast.file' ? [event['value']] : []));

/** A user message of these parts, and what the echo gives back. */
async function echoed(agent: string, threadId: string, content: object[]): Promise<WireEvent[]> {
  const messages = [{ id: `u-${threadId}`, role: 'user', content }];
  return ended(await up.run(agent, { threadId, messages }, longMs), 'success');
}

// Promise G23
describe.each(['echo', 'echo-old'])('what a person sends to the agent "%s" comes back', (agent) => {
  test('a text that a person sends to an agent comes back in words', async () => {
    const sent = 'Grüße, 世界 🌍\nand a second line';
    expect(wordsOf(await echoed(agent, 'text', [{ type: 'text', text: sent }]))).toEqual([sent]);
  });

  test.each(media)(
    'a part that a person sends to an agent comes back as $type, byte for byte',
    async ({ type, mimeType, filename, value }) => {
      const part = { type, source: { type: 'data', value, mimeType }, metadata: { filename } };
      const [file, ...more] = filesOf(await echoed(agent, `data-${type}`, [{ type: 'text', text: 'See:' }, part]));
      expect(more).toEqual([]);
      expect(file).toMatchObject({ name: filename, mediaType: mimeType, bytes: 3000, content: part });
    },
  );

  test.each(media)(
    'a part that a person sends to an agent comes back as $type at its address',
    async ({ type, mimeType, filename, url }) => {
      const part = { type, source: { type: 'url', value: url, mimeType }, metadata: { filename } };
      const [file] = filesOf(await echoed(agent, `url-${type}`, [part]));
      expect(file).toMatchObject({ name: filename, mediaType: mimeType, uri: url, content: part });
    },
  );
});

test('these runs leave no failed workflow task behind', async () => {
  expect(await failedWorkflowTasks(up.temporalAddress)).toEqual([]);
});
