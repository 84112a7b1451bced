// The interrupt contract of AG-UI with the real clients: 1.0.0, 0.0.59, which CopilotKit's runtime uses, and 0.0.52 from before
// there were interrupts. A client object holds its open questions in memory; a new object on the same thread is a page that was reloaded.
import { randomUUID } from 'node:crypto';
import { HttpAgent } from '@ag-ui/client';
import type { ResumeEntry } from '@ag-ui/client';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { HttpAgent as OldestHttpAgent } from 'ag-ui-client-0052';
import { HttpAgent as OldHttpAgent } from 'ag-ui-client-0059';
import { startFakeAgent } from '../../rigs/agents/agent.ts';
import type { FakeAgent } from '../../rigs/agents/agent.ts';
import { endOf } from '../../rigs/streams/agui.ts';
import { asError } from '../../rigs/as-error.ts';
import type { WireEvent } from '../../rigs/streams/sse-stream.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { failedWorkflowTasks, holdsOf, longMs, openHold, waitForTask } from '../setting.ts';
import { startProduct } from '../start-product.ts';

let fake: FakeAgent;

interface Went {
  events: WireEvent[];
  /** Why the client gave the run up: its own reason, or what it was sent. */
  failure: string | null;
}

interface Front {
  add(text: string): void;
  say(text: string): Promise<Went>;
  /** Closes the stream of the running run, as a "Stop" button does. */
  stop(): void;
  /** Waits until the client shows this text of the agent's. */
  shows(text: string): Promise<void>;
  go(options: { runId?: string; resume?: ResumeEntry[]; forwardedProps?: object }): Promise<Went>;
  pending(): string[];
  roles(): string[];
  state(): object;
}

type Settings = { url: string; threadId: string };
type Run = (options: object, seen: WireEvent[]) => Promise<unknown>;
interface Held {
  messages: { role: string }[];
  state: unknown;
  pendingInterrupts: { id: string }[];
  abortRun(): void;
}

function frontOf(held: () => Held, add: (text: string) => void, run: Run): Front {
  const go = async (options: object): Promise<Went> => {
    const events: WireEvent[] = [];
    const failure = await run(options, events).then(
      () => null,
      (error: unknown) => asError(error).message,
    );
    return { events, failure };
  };
  return {
    add,
    say: (text) => {
      add(text);
      return go({});
    },
    stop: () => held().abortRun(),
    async shows(text) {
      const answers = (): object[] => held().messages.filter(({ role }) => role !== 'user');
      await waitFor(() => JSON.stringify(answers()).includes(text), longMs, `the client to show "${text}"`);
    },
    go,
    pending: () => held().pendingInterrupts.map(({ id }) => id),
    roles: () => held().messages.map(({ role }) => role),
    state: () => Object(held().state) as object,
  };
}

const message = (content: string): { id: string; role: 'user'; content: string } => ({
  id: randomUUID(),
  role: 'user',
  content,
});
const onEvent = (seen: WireEvent[]) => ({
  onEvent: ({ event }: { event: object & { type: string } }): void => void seen.push({ ...event }),
});

const clients: { version: string; open: (settings: Settings) => Front }[] = [
  {
    version: '1.0.0',
    open(settings) {
      const agent = new HttpAgent(settings);
      return frontOf(
        () => agent,
        (text) => agent.addMessage(message(text)),
        (options, seen) => agent.runAgent(options, onEvent(seen)),
      );
    },
  },
  {
    version: '0.0.59',
    open(settings) {
      const agent = new OldHttpAgent(settings);
      return frontOf(
        () => agent,
        (text) => agent.addMessage(message(text)),
        (options, seen) => agent.runAgent(options, onEvent(seen)),
      );
    },
  },
];

const { supervisor, up } = startProduct(async () => {
  fake = await startFakeAgent(supervisor);
  return `
agents:
  fake: { url: '${fake.url}' }
  hasty: { url: '${fake.url}', policy: soon }
policies:
  soon: { expire: { after: 1s, then: fail } }
`;
});

const green = (...ids: string[]): ResumeEntry[] =>
  ids.map((interruptId) => ({ interruptId, status: 'resolved', payload: { colour: 'green', note: 'ok' } }));
const codeOf = ({ events }: Went): string => endOf(events);

describe.each(clients)('the client $version', ({ version, open }) => {
  let warnings: unknown[][];
  beforeAll(() => {
    warnings = [];
    jest.spyOn(console, 'warn').mockImplementation((...words: unknown[]) => void warnings.push(words));
  });
  afterAll(() => {
    jest.restoreAllMocks();
    expect(warnings).toEqual([]);
  });

  const page = (threadId: string, agent = 'fake'): Front =>
    open({ url: `${up.url}/agents/${agent}/run`, threadId: `${version} ${threadId}` });
  /** A page with one open question. */
  async function asked(threadId: string, script = 'form => say thanks; complete'): Promise<Front> {
    const front = page(threadId);
    const went = await front.say(script);
    expect([went.failure, codeOf(went)]).toEqual([null, 'interrupt']);
    return front;
  }
  const idOf = (front: Front): string => front.pending()[0] ?? '';

  // Promise G1
  test('an AG-UI client has the question, its card and its snapshots before the run ends, and the answer goes to the agent', async () => {
    const front = page('once');
    const { events } = await front.say('form => say thanks; complete');
    const types = events.map(({ type }) => type).filter((type) => type !== 'CUSTOM');
    expect(types.slice(-3)).toEqual(['STATE_SNAPSHOT', 'MESSAGES_SNAPSHOT', 'RUN_FINISHED']);
    expect(front.pending()).toHaveLength(1);
    expect(front.roles()).toContain('activity');
    expect(front.state()).toMatchObject({ view: { pendingInterrupts: { [idOf(front)]: {} } } });
    const answered = await front.go({ resume: green(idOf(front)) });
    expect([answered.failure, codeOf(answered), front.pending()]).toEqual([null, 'success', []]);
    expect(JSON.stringify(answered.events)).toContain('thanks');
  });

  // Promise G2
  test('an AG-UI client answers the questions of one pause by one resume', async () => {
    const front = await asked('two', 'forms 2 => complete');
    expect(front.pending()).toHaveLength(2);
    const answered = await front.go({ resume: green(...front.pending()) });
    expect([answered.failure, codeOf(answered), front.pending()]).toEqual([null, 'success', []]);
  });

  // Promise G2
  test('an AG-UI client may resume under the runId of the run that asked, as CopilotKit does, and again when it asks once more', async () => {
    const front = page('one runId');
    const runId = `${version} the only run`;
    front.add('form => form; say thanks; complete');
    expect(codeOf(await front.go({ runId }))).toBe('interrupt');
    const asks = await front.go({ runId, resume: green(...front.pending()) });
    expect([asks.failure, codeOf(asks), front.pending().length]).toEqual([null, 'interrupt', 1]);
    const answered = await front.go({ runId, resume: green(...front.pending()) });
    expect([answered.failure, codeOf(answered), front.pending()]).toEqual([null, 'success', []]);
    expect([asks, answered].map(({ events }) => events.at(-1)?.['runId'])).toEqual([runId, runId]);
    const foreign = page('another runId');
    foreign.add('form => complete');
    expect(codeOf(await foreign.go({ runId }))).toBe('interrupt');
    const stranger = await page('another runId').go({ runId, resume: green('hitl-none-1') });
    expect(stranger.failure).toContain('409');
  });

  // Promise G2
  test('an AG-UI client is refused a resume that leaves a question out, and nothing changes', async () => {
    const front = await asked('left out', 'forms 2 => complete');
    const again = page('left out');
    expect(codeOf(await again.go({ resume: green(idOf(front)) }))).toBe('error:interrupts_not_covered');
    expect(codeOf(await front.go({ resume: green(...front.pending()) }))).toBe('success');
  });

  // Promise G4
  test('an AG-UI client says nothing new while a question is open: it holds it back itself, and after a reload it is refused', async () => {
    const front = await asked('pending');
    expect(await front.say('something else')).toMatchObject({ failure: expect.any(String), events: [] });
    expect(codeOf(await page('pending').say('something else'))).toBe('error:interrupts_pending');
    expect(codeOf(await front.go({ resume: green(idOf(front)) }))).toBe('success');
  });

  // Promise G6
  test('an AG-UI client is shown that an answer does not fit, still holds the question, and answers it then', async () => {
    const front = await asked('invalid');
    const wrong: ResumeEntry[] = [{ interruptId: idOf(front), status: 'resolved', payload: { colour: 7 } }];
    expect(codeOf(await front.go({ resume: wrong }))).toBe('error:payload_invalid');
    expect(front.pending()).toHaveLength(1);
    expect(codeOf(await front.go({ resume: green(idOf(front)) }))).toBe('success');
  });

  // Promise G5
  test('an AG-UI client gets the recorded outcome when it resumes the same once more', async () => {
    const front = await asked('again');
    const resume = green(idOf(front));
    expect(codeOf(await front.go({ resume }))).toBe('success');
    expect(codeOf(await page('again').go({ resume }))).toBe('success');
    expect((await holdsOf(up, 'fake', `${version} again`)).map(({ status }) => status)).toEqual(['decided']);
  });

  // Promise G3
  test('an AG-UI client is refused an answer to a question of another thread, or of none', async () => {
    const front = await asked('mine');
    for (const threadId of ['mine', 'another']) {
      const stranger = page(threadId);
      const id = threadId === 'mine' ? 'hitl-none-1' : idOf(front);
      expect(codeOf(await stranger.go({ resume: green(id) }))).toBe('error:interrupt_unknown');
    }
    expect(codeOf(await front.go({ resume: green(idOf(front)) }))).toBe('success');
  });

  // Promise G7
  test('an AG-UI client is refused an answer that comes too late, and finds a way out', async () => {
    const front = page('late', 'hasty');
    expect(codeOf(await front.say('form => complete'))).toBe('interrupt');
    const [hold] = await holdsOf(up, 'hasty', `${version} late`);
    await waitForTask(up, hold?.taskId ?? '', 'FAILED');
    const reloaded = page('late', 'hasty');
    expect(codeOf(await reloaded.go({ resume: green(idOf(front)) }))).toBe('error:interrupt_expired');
    const out = await reloaded.go({ resume: [{ interruptId: idOf(front), status: 'cancelled' }] });
    expect([out.failure, codeOf(out)]).toEqual([null, version === '1.0.0' ? 'cancelled' : 'success']);
    const read = await page('late', 'hasty').go({ forwardedProps: { a2a: { subscribeOnly: true } } });
    expect(read.failure).toBeNull();
  });

  // Promise G7
  test('an AG-UI client parks of its questions when the task was cancelled by somebody else', async () => {
    const front = await asked('cancelled');
    const hold = await openHold(up, 'fake', `${version} cancelled`);
    await up.post(`/api/tasks/${hold.taskId}/cancel`);
    await waitForTask(up, hold.taskId, 'CANCELED');
    const out = await front.go({ resume: [{ interruptId: hold.interruptId, status: 'cancelled' }] });
    expect([out.failure, front.pending()]).toEqual([null, []]);
  });

  // Promise G9
  test('an AG-UI client has its questions back after a reload, by a run that only reads', async () => {
    const front = await asked('reloaded');
    const reloaded = page('reloaded');
    const read = await reloaded.go({ forwardedProps: { a2a: { subscribeOnly: true } } });
    expect([read.failure, codeOf(read)]).toEqual([null, 'interrupt']);
    expect(reloaded.pending()).toEqual(front.pending());
    expect(reloaded.roles()).toContain('activity');
    expect(codeOf(await reloaded.go({ resume: green(...reloaded.pending()) }))).toBe('success');
  });

  // Promise B10a
  test('an AG-UI client is shown the agent’s answer to what it says after it stopped reading a run that goes on', async () => {
    const front = page('stopped');
    const reading = front.say('say working on it; gate never => say heard you; form => complete');
    await front.shows('working on it');
    front.stop();
    await reading;
    const went = await front.say('faster, please');
    expect([went.failure, codeOf(went)]).toEqual([null, 'interrupt']);
    expect(went.events.map(({ name }) => name)).toContain('standfast.injected');
    await front.shows('heard you');
    expect(codeOf(await front.go({ resume: green(...front.pending()) }))).toBe('success');
  });

  // Promise B10
  test('an AG-UI client learns at once that its message went into a task whose run it reads', async () => {
    const reader = page('read');
    // The task goes on while its speaker is answered: once it is over, its run has no reader any more.
    const lastGate = `last-${version}`;
    const reading = reader.say(`say working on it; gate never => gate ${lastGate}; say heard you; complete`);
    await reader.shows('working on it');
    const speaker = page('read');
    const went = await speaker.say('faster, please');
    expect([went.failure, codeOf(went)]).toEqual([null, 'success']);
    expect(went.events.slice(-2)).toMatchObject([{ name: 'standfast.injected' }, { type: 'RUN_FINISHED' }]);
    await fake.openGate(lastGate);
    expect(codeOf(await reading)).toBe('success');
    await reader.shows('heard you');
  });

  // Promise G11
  test.each<[string, (interruptId: string, payload: object) => object]>([
    ['forwardedProps.a2a.resume', (interruptId, payload) => ({ a2a: { resume: { interruptId, payload } } })],
    ['forwardedProps.command.resume', (_interruptId, payload) => ({ command: { resume: payload } })],
    ['JSON text in forwardedProps.command', (_id, payload) => ({ command: { resume: JSON.stringify(payload) } })],
  ])('an AG-UI client may answer by %s, as older front ends do', async (spelling, propsOf) => {
    const front = await asked(spelling);
    const reloaded = page(spelling);
    const forwardedProps = propsOf(idOf(front), { colour: 'green', note: 'ok' });
    expect(codeOf(await reloaded.go({ forwardedProps }))).toBe('success');
  });
});

// Promise G11
test('the client 0.0.52, which knows no outcomes, is asked by on_interrupt and answers by command.resume', async () => {
  const agent = new OldestHttpAgent({ url: `${up.url}/agents/fake/run`, threadId: '0.0.52' });
  const events: WireEvent[] = [];
  agent.addMessage(message('forms 1 => say thanks; complete'));
  await agent.runAgent({}, onEvent(events));
  const asked = events.filter(({ type, name }) => type === 'CUSTOM' && name === 'on_interrupt');
  expect(asked).toMatchObject([{ value: { reason: 'input_required', message: expect.any(String) } }]);
  const resume = JSON.stringify({ colour: 'green', note: 'ok' });
  events.length = 0;
  await agent.runAgent(
    { forwardedProps: { command: { resume, interruptEvent: asked[0]?.['value'] } } },
    onEvent(events),
  );
  expect(endOf(events)).toBe('success');
  expect(JSON.stringify(events)).toContain('thanks');
});

test('no workflow task failed meanwhile', async () => {
  expect(await failedWorkflowTasks(up.temporalAddress)).toEqual([]);
});
