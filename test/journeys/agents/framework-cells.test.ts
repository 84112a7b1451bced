// What works with each framework that serves A2A, with its newest packages, a scripted model and a tool that counts what
// it executes: the cells of docs/agents.md (test/rigs/agents/framework-cells.ts). One cell of each framework; all with
// STANDFAST_FULL=1. A framework whose packages cannot be installed is left out by name (scripts/framework-agents.mjs).
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import {
  type FrameworkAgent,
  hasFramework,
  startFrameworkAgent,
  startLangGraphServer,
} from '../../rigs/agents/framework-agent.ts';
import {
  type Column,
  type Framework,
  columns,
  frameworks,
  namesOfFrameworks,
} from '../../rigs/agents/framework-cells.ts';
import { isFull } from '../../rigs/properties.ts';
import { endOf, interruptsOf, textsOf } from '../../rigs/streams/agui.ts';
import type { RunRequest } from '../../rigs/streams/agui.ts';
import type { WireEvent } from '../../rigs/streams/sse-stream.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { expectShown } from '../../wire/agui/real-client.ts';
import { decided, delaysOf, ended, holdsOf, longMs, openHold, readTask, tasksOf, waitForTask } from '../setting.ts';
import { startProduct } from '../start-product.ts';

type Entry = NonNullable<RunRequest['resume']>[number];
type Answer = Pick<Entry, 'status' | 'payload'>;

/** How people say yes, and no with a reason, to each framework's question. */
interface Ways {
  approve: Answer;
  edit: Answer;
  refuse: Answer;
  /** What its question shows of `pay(1, Miller Ltd)`. */
  shows: object;
}

const reason = 'too dear';
const resolved = (payload: object): Answer => ({ status: 'resolved', payload });
const review: Ways = {
  approve: resolved({ approved: true }),
  edit: resolved({ approved: true, editedArgs: { invoice: 20, to: 'Miller Ltd' } }),
  refuse: resolved({ approved: false, reason }),
  shows: { title: 'Approve pay?', kind: 'tool_call', context: { toolArgs: { invoice: 1, to: 'Miller Ltd' } } },
};
const confirmation: Ways = {
  ...review,
  refuse: { status: 'cancelled', payload: { reason } },
  shows: { ...review.shows, message: 'Pay invoice 1 to Miller Ltd?' },
};
const ways: Partial<Record<Framework, Ways>> = {
  // Its extension has no place for a reason.
  agentstack: { ...review, refuse: resolved({ approved: false }) },
  langgraph: review,
  a2ago: { ...review, shows: { ...review.shows, title: 'Pay invoice 1?' } },
  openaiagents: { ...review, shows: { ...review.shows, title: 'Pay invoice 1?' } },
  mastra: { ...review, refuse: { status: 'cancelled', payload: { reason } } },
  adk: confirmation,
  kagent: { ...confirmation, shows: review.shows },
  strands: {
    ...review,
    shows: { title: 'Pay invoice 1 to Miller Ltd?', kind: 'form', message: expect.stringContaining('Miller Ltd') },
  },
};

const agents = new Map<Framework, FrameworkAgent>();

const FailureSchema = z.tuple([z.literal('failed'), z.number()]);
const wordsOf = (events: readonly WireEvent[]): string =>
  [...textsOf(events).values()].join(' ').replaceAll(/\s+/g, ' ');

/** One framework and one cell: a thread of its own, and its own invoices. */
class Talk {
  readonly framework: Framework;
  readonly threadId: string;
  constructor(framework: Framework, threadId: string) {
    this.framework = framework;
    this.threadId = threadId;
  }
  get agent(): FrameworkAgent {
    const agent = agents.get(this.framework);
    if (agent === undefined) throw new Error(`${this.framework} was not started`);
    return agent;
  }
  get ways(): Ways {
    return ways[this.framework] ?? review;
  }
  async say(text: string, end: string): Promise<WireEvent[]> {
    return ended(await up.run(this.framework, { threadId: this.threadId, text }, longMs), end);
  }
  async answer(asked: readonly WireEvent[], answers: Answer[], end = 'success'): Promise<WireEvent[]> {
    const entries = interruptsOf(asked).map(({ id }, at) => ({
      ...(answers[at] ?? this.ways.refuse),
      interruptId: id,
    }));
    return ended(await up.run(this.framework, { threadId: this.threadId, resume: entries }, longMs), end);
  }
  hold(): Promise<HoldView> {
    return openHold(up, this.framework, this.threadId);
  }
  began(): Promise<boolean> {
    return this.wrote('slow');
  }
  /** Waits for a word of its model. */
  wrote(word: string): Promise<boolean> {
    const isThere = async (): Promise<boolean> =>
      (await this.agent.executed()).some((one) => JSON.stringify(one) === JSON.stringify([word]));
    return waitFor(isThere, longMs, `the model to write ${word}`);
  }
  /** When its model failed the last time: some frameworks try theirs again. */
  async failedAt(): Promise<number> {
    const times = (await this.agent.executed()).map((one) => FailureSchema.safeParse(one).data?.[1] ?? Number.NaN);
    return Math.max(...times.filter((time) => !Number.isNaN(time)));
  }
  /** How often an invoice was paid. */
  async paid(invoice: number): Promise<number> {
    const wanted = JSON.stringify([invoice, 'Miller Ltd']);
    return (await this.agent.executed()).filter((one) => JSON.stringify(one) === wanted).length;
  }
}

/** An answer as the decision of a hold. */
const decisionOf = ({ status, payload }: Answer): object => ({ status, values: payload });

const cells: Record<Column, readonly [title: string, run: (talk: Talk) => Promise<void>]> = {
  connects: [
    'is reached by its address alone, and answers',
    async (talk) => {
      expect(wordsOf(await talk.say('hello', 'success'))).toContain('One two three four');
    },
  ],
  tokens: [
    'has its words streamed as one message, piece by piece',
    async (talk) => {
      const events = await talk.say('hello', 'success');
      expect([...textsOf(events).values()].map((text) => text.trim())).toEqual(['One two three four']);
      const countOf = (wanted: string): number => events.filter(({ type }) => type === wanted).length;
      expect(countOf('TEXT_MESSAGE_CONTENT')).toBeGreaterThan(2);
      expect([countOf('TEXT_MESSAGE_START'), countOf('TEXT_MESSAGE_END')]).toEqual([1, 1]);
      // AG-UI's own client verifies the order of events.
      const { messages } = await expectShown(JSON.parse(JSON.stringify(events)));
      expect(messages.filter(({ role }) => role === 'assistant')).toHaveLength(1);
    },
  ],
  'question whole': [
    'has its question shown with what it is about',
    async (talk) => {
      await talk.say('pay 1', 'interrupt');
      expect(await talk.hold()).toMatchObject(talk.ways.shows);
    },
  ],
  approve: [
    'runs a call that was approved, as it was shown',
    async (talk) => {
      const events = await talk.answer(await talk.say('pay 2', 'interrupt'), [talk.ways.approve]);
      expect(wordsOf(events)).toContain('paid 2');
      expect(await talk.paid(2)).toBe(1);
    },
  ],
  edit: [
    'runs a call with the arguments that a person changed',
    async (talk) => {
      await talk.answer(await talk.say('pay 3', 'interrupt'), [talk.ways.edit]);
      expect([await talk.paid(3), await talk.paid(20)]).toEqual([0, 1]);
    },
  ],
  'refuse with reason': [
    'tells its model why a call was refused, and does not run it',
    async (talk) => {
      const events = await talk.answer(await talk.say('pay 4', 'interrupt'), [talk.ways.refuse]);
      expect(wordsOf(events)).toContain(reason);
      expect(await talk.paid(4)).toBe(0);
    },
  ],
  parallel: [
    'has two calls of one pause decided one by one',
    async (talk) => {
      const asked = await talk.say('pay 5 and 6', 'interrupt');
      const holds = await holdsOf(up, talk.framework, talk.threadId);
      expect(holds.filter(({ status }) => status === 'open')).toHaveLength(2);
      await talk.answer(asked, [talk.ways.approve, talk.ways.refuse]);
      expect((await talk.paid(5)) + (await talk.paid(6))).toBe(1);
    },
  ],
  'asked again': [
    'asks once more in the same task after a refusal, and runs what is then approved',
    async (talk) => {
      const asked = await talk.say('pay 7 again', 'interrupt');
      const first = await talk.hold();
      const again = await talk.answer(asked, [talk.ways.refuse], 'interrupt');
      expect(await talk.paid(7)).toBe(0);
      const second = await talk.hold();
      expect(second).toMatchObject({ title: first.title, taskId: first.taskId });
      expect(second.message).toContain(first.message);
      expect(second.id).not.toBe(first.id);
      await talk.answer(again, [talk.ways.approve]);
      expect(await talk.paid(7)).toBe(1);
    },
  ],
  once: [
    'runs a call once, though three approve it at the same time',
    async (talk) => {
      await talk.say('pay 8', 'interrupt');
      const { id, taskId } = await talk.hold();
      const answers = await Promise.all([1, 2, 3].map(() => decided(up, id, decisionOf(talk.ways.approve))));
      expect(answers.map(({ status }) => status)).toContain(200);
      expect((await waitForTask(up, taskId, 'DONE', 'FAILED')).status).toBe('DONE');
      expect(await talk.paid(8)).toBe(1);
    },
  ],
  'kill -9 of Standfast': [
    'keeps its question over a kill -9 of Standfast, and the call runs once',
    async (talk) => {
      await talk.say('pay 9', 'interrupt');
      const before = await talk.hold();
      await up.process.kill9();
      await startAgain();
      const { id, taskId, ...after } = await talk.hold();
      expect({ id, message: after.message }).toEqual({ id: before.id, message: before.message });
      await decided(up, id, decisionOf(talk.ways.approve));
      expect((await waitForTask(up, taskId, 'DONE', 'FAILED')).status).toBe('DONE');
      expect(await talk.paid(9)).toBe(1);
    },
  ],
  'kill -9 of the agent': [
    'ends its task with a reason when it was killed and knows it no more, and nothing runs',
    async (talk) => {
      await talk.say('pay 10', 'interrupt');
      const { id, taskId } = await talk.hold();
      await talk.agent.restart();
      await decided(up, id, decisionOf(talk.ways.approve));
      const { status, error } = await waitForTask(up, taskId, 'DONE', 'FAILED');
      expect(status).toBe('FAILED');
      expect(error?.message).toMatch(/\S/);
      expect(await talk.paid(10)).toBe(0);
    },
  ],
  'error within 15 s': [
    'ends a run within 15 s of the failure of its model, tries nothing again, and the thread takes the next message',
    async (talk) => {
      const run = await up.run(talk.framework, { threadId: talk.threadId, text: 'fail' }, longMs);
      expect(endOf(run.events)).toMatch(/^error:/);
      const [task] = await tasksOf(up, talk.framework, talk.threadId);
      const { updatedAt } = await waitForTask(up, task?.id ?? '', 'FAILED');
      // As the agent and Standfast write it down, however late the test reads it.
      expect(Date.parse(updatedAt) - (await talk.failedAt())).toBeLessThan(15_000);
      expect(await delaysOf(up.temporalAddress, talk.framework, talk.threadId)).toEqual([]);
      expect(wordsOf(await talk.say('hello', 'success'))).toContain('One two three four');
    },
  ],
  cancel: [
    'has a task cancelled while its model works',
    async (talk) => {
      const stream = await up.openRun(talk.framework, { threadId: talk.threadId, text: 'slow' });
      await talk.began();
      const [task] = await tasksOf(up, talk.framework, talk.threadId);
      expect((await up.post(`/api/tasks/${task?.id}/cancel`)).status).toBeLessThan(300);
      expect((await waitForTask(up, task?.id ?? '', 'CANCELED', 'DONE', 'FAILED')).status).toBe('CANCELED');
      await stream.over(longMs);
    },
  ],
};

const whole = async (talk: Talk): Promise<void> => {
  const events = await talk.say('hello', 'success');
  expect([...textsOf(events).values()].map((text) => text.trim())).toEqual(['One two three four']);
  expect(events.filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT')).toHaveLength(1);
};

/** What a framework does where it has a number in place of a yes: its own limit, by the number of the note in docs/agents.md. */
const limits: Record<number, readonly [title: string, run: (talk: Talk) => Promise<void>]> = {
  1: [
    'takes no other arguments than those it has shown',
    async (talk) => {
      await talk.say('pay 30', 'interrupt');
      const { id, taskId } = await talk.hold();
      expect((await decided(up, id, decisionOf(review.edit))).status).toBe(422);
      expect((await decided(up, id, decisionOf(talk.ways.approve))).status).toBe(200);
      expect((await waitForTask(up, taskId, 'DONE', 'FAILED')).status).toBe('DONE');
      expect([await talk.paid(30), await talk.paid(20)]).toEqual([1, 0]);
    },
  ],
  2: [
    'does not run a call that was refused, and its tool learns no reason',
    async (talk) => {
      const refusal: Answer = { status: 'cancelled', payload: { reason } };
      const events = await talk.answer(await talk.say('pay 31', 'interrupt'), [refusal]);
      expect(wordsOf(events)).toContain('not paid');
      expect(wordsOf(events)).not.toContain(reason);
      expect(await talk.paid(31)).toBe(0);
    },
  ],
  3: [
    'asks for two calls one after the other',
    async (talk) => {
      const second = await talk.answer(await talk.say('pay 32 and 33', 'interrupt'), [talk.ways.approve], 'interrupt');
      await talk.answer(second, [talk.ways.refuse]);
      expect([await talk.paid(32), await talk.paid(33)]).toEqual([1, 0]);
    },
  ],
  4: [
    'asks no question about a call that is to be approved, and does not run it',
    async (talk) => {
      const run = await up.run(talk.framework, { threadId: talk.threadId, text: 'pay 34' }, longMs);
      expect(endOf(run.events)).toMatch(/^(success|error:)/);
      expect(await holdsOf(up, talk.framework, talk.threadId)).toEqual([]);
      expect(await talk.paid(34)).toBe(0);
    },
  ],
  5: ['has its words sent whole', whole],
  6: [
    'has each piece of its words as a message of its own',
    async (talk) => {
      expect([...textsOf(await talk.say('hello', 'success')).values()]).toHaveLength(4);
    },
  ],
  7: [
    'reports the failure of its model as a success',
    async (talk) => {
      await talk.say('fail', 'success');
      expect(await talk.failedAt()).toBeGreaterThan(0);
    },
  ],
  8: [
    'goes on with a task that is to be cancelled, and ends it as it likes',
    async (talk) => {
      const stream = await up.openRun(talk.framework, { threadId: talk.threadId, text: 'linger' });
      await talk.began();
      const [task] = await tasksOf(up, talk.framework, talk.threadId);
      expect((await up.post(`/api/tasks/${task?.id}/cancel`)).status).toBe(202);
      await talk.agent.letGo();
      expect((await waitForTask(up, task?.id ?? '', 'CANCELED', 'DONE', 'FAILED')).status).toBe('DONE');
      await stream.over(longMs);
    },
  ],
  9: ['has its words sent whole', whole],
  10: [
    'asks no question, and runs a call whose approval fails for want of a terminal',
    async (talk) => {
      await talk.say('pay 35', 'success');
      expect(await holdsOf(up, talk.framework, talk.threadId)).toEqual([]);
      expect(await talk.paid(35)).toBe(1);
    },
  ],
  12: [
    'has a message of its server before its words, which are streamed as one',
    async (talk) => {
      const texts = [...textsOf(await talk.say('hello', 'success')).values()].map((text) => text.trim());
      expect(texts).toEqual(['Generating response...', 'One two three four']);
    },
  ],
  13: [
    'runs no call of a pause in which one is refused, and all of one that is approved whole',
    async (talk) => {
      const asked = await talk.say('pay 36 and 37', 'interrupt');
      await talk.answer(asked, [talk.ways.approve, talk.ways.refuse]);
      expect([await talk.paid(36), await talk.paid(37)]).toEqual([0, 0]);
      const again = await talk.say('pay 36 and 37', 'interrupt');
      await talk.answer(again, [talk.ways.approve, talk.ways.approve]);
      expect([await talk.paid(36), await talk.paid(37)]).toEqual([1, 1]);
    },
  ],
  11: [
    'stops its model where a task is to be cancelled, and never reports it',
    async (talk) => {
      await up.openRun(talk.framework, { threadId: talk.threadId, text: 'linger' });
      await talk.began();
      const [task] = await tasksOf(up, talk.framework, talk.threadId);
      expect((await up.post(`/api/tasks/${task?.id}/cancel`)).status).toBe(202);
      await talk.wrote('stopped');
      expect((await readTask(up, task?.id ?? '')).status).not.toBe('CANCELED');
      // From then on that server aborts whatever it is sent.
      await talk.agent.restart();
    },
  ],
};

/** Those whose packages are there. */
const played = namesOfFrameworks.filter(hasFramework);
const limitsOf = (framework: Framework): number[] => [
  ...new Set(isFull ? Object.values(frameworks[framework].cells).filter((cell) => cell !== true) : []),
];
const cellsOf = (framework: Framework): Column[] =>
  columns.filter(
    (column) => frameworks[framework].cells[column] === true && (isFull || frameworks[framework].always === column),
  );

const { supervisor, up, startAgain } = startProduct(async () => {
  const start = async (framework: Framework): Promise<string> => {
    if (framework !== 'langgraph') {
      const agent = await startFrameworkAgent(supervisor, framework);
      agents.set(framework, agent);
      return agent.url;
    }
    const server = await startLangGraphServer(supervisor);
    agents.set(framework, server);
    return server.graph('reviewed');
  };
  const lines = await Promise.all(
    played.map(async (framework) => `  ${framework}: { url: '${await start(framework)}' }`),
  );
  return `agents:\n${lines.join('\n')}\n`;
});

describe.each(played)('an agent on %s', (framework) => {
  // Before a cancellation, which is the last of the cells: some frameworks run on behind it.
  for (const number of limitsOf(framework)) {
    const [title, run] = limits[number] ?? [`explains ${number}`, () => Promise.reject(new Error('no such limit'))];
    test(title, () => run(new Talk(framework, `limit-${number}`)));
  }
  test.each(cellsOf(framework).map((column) => ({ column, title: cells[column][0] })))(
    'an agent on a framework $title',
    async ({ column }) => {
      await cells[column][1](new Talk(framework, column));
    },
  );
});
