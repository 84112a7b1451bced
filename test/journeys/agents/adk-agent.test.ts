// A real agent on google-adk with a scripted model, through Standfast as users start it: every way in which ADK asks, answered
// by `resume` and in the inbox, and what then reached its tools. Skipped where there is no Python (scripts/python-agents.mjs).
// Promise B22, B25, B29, B38, D2, D12, G13, G15, G16, G27, QU4
import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { interruptsOf, textsOf } from '../../rigs/streams/agui.ts';
import type { RunRequest } from '../../rigs/streams/agui.ts';
import { hasPython, startAdkAgent } from '../../rigs/agents/python-agent.ts';
import type { WireEvent } from '../../rigs/streams/sse-stream.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import {
  codeOf,
  ended,
  failedWorkflowTasks,
  holdsOf,
  interruptOf,
  longMs,
  openHold,
  readHold,
  waitForTask,
} from '../setting.ts';
import { startProduct } from '../start-product.ts';

const fingerprint = (secret: string): string => createHash('sha256').update(secret).digest('hex').slice(0, 12);
const wordsOf = (events: readonly WireEvent[]): string => [...textsOf(events).values()].join('\n');
/** A function call of ADK's, as a line of the agent's script. */
const call = (tool: string, args: object = {}): string => `call ${tool} ${JSON.stringify(args)}`;

async function ask(threadId: string, text: string, agent = 'adk'): Promise<WireEvent[]> {
  return ended(await up.run(agent, { threadId, text }, longMs), 'interrupt');
}

async function resume(threadId: string, entries: RunRequest['resume'], agent = 'adk'): Promise<WireEvent[]> {
  return ended(await up.run(agent, { threadId, ...(entries && { resume: entries }) }, longMs), 'success');
}

/** Answers the open hold of a thread in the inbox; returns the agent's reply. */
async function decide(threadId: string, decision: object, agent = 'adk'): Promise<string> {
  const hold = await openHold(up, agent, threadId);
  const answer = await up.post(`/api/holds/${hold.id}/decision`, decision);
  expect([answer.status, codeOf(answer)]).toEqual([200, null]);
  expect(await waitForTask(up, hold.taskId, 'DONE', 'FAILED')).toMatchObject({ status: 'DONE', error: null });
  const run = await (await up.follow(agent, threadId, { query: '?follow=false' })).over(longMs);
  return wordsOf(run);
}

interface Way {
  what: string;
  script: string;
  /** What the hold shows of it. */
  asked: object;
  reason: string;
  values: object;
  /** What the agent's model received from its tool. */
  result: string;
}

const payment = call('request_payment', { amount: 5, payee: 'Ada' });
const trip = call('book_trip', { city: 'Rome' });
const integer = { type: 'integer', title: 'How many?', minimum: 1 };
const address = {
  type: 'object',
  properties: { street: { type: 'string' }, floor: { type: 'integer' } },
  required: ['street'],
};

const ways: Way[] = [
  {
    what: 'a long-running call',
    script: payment,
    asked: { kind: 'tool_call', title: 'Approve request_payment?', message: expect.stringContaining('"ticket":"T-7"') },
    reason: 'tool_call',
    values: { approved: true, comment: 'paid on Monday', response: { receipt: 'R-1' } },
    result:
      'request_payment returned {"amount": 5.0, "comment": "paid on Monday", "payee": "Ada", ' +
      '"receipt": "R-1", "status": "approved", "ticket": "T-7"}',
  },
  {
    what: 'a confirmation',
    script: call('delete_file', { path: '/x' }),
    asked: {
      kind: 'tool_call',
      title: 'Approve delete_file?',
      message: 'The agent asks whether it may call delete_file.',
      defaults: {},
    },
    reason: 'tool_call',
    values: { approved: true },
    result: 'delete_file returned {"deleted": "/x"}',
  },
  {
    what: 'a confirmation with a payload that people change',
    script: trip,
    asked: {
      kind: 'tool_call',
      title: 'Approve book_trip?',
      message: 'A trip to Rome?',
      defaults: { editedArgs: { days: 3, fare: 'eco' } },
    },
    reason: 'tool_call',
    values: { approved: true, editedArgs: { days: 2, fare: 'first' } },
    result: 'book_trip returned {"booked": "Rome", "days": 2.0, "fare": "first"}',
  },
  {
    what: 'a request for input with the schema of a value',
    script: call('adk_request_input', { message: 'Seats, please.', response_schema: integer }),
    asked: { kind: 'form', title: 'How many?', message: 'Seats, please.' },
    reason: 'input_required',
    values: { result: 4 },
    result: 'adk_request_input returned {"result": 4.0}',
  },
  {
    what: 'a request for input with the schema of an object',
    script: call('adk_request_input', { message: 'Where?', response_schema: address }),
    asked: { kind: 'form', title: 'The agent asks', message: 'Where?' },
    reason: 'input_required',
    values: { street: 'Main St', floor: 2 },
    result: 'adk_request_input returned {"floor": 2.0, "street": "Main St"}',
  },
  {
    what: 'a request for input without a schema',
    script: call('adk_request_input', { message: 'Anything else?' }),
    asked: { kind: 'text', message: 'Anything else?' },
    reason: 'input_required',
    values: { text: 'No, thanks' },
    result: 'adk_request_input returned {"result": "No, thanks"}',
  },
  {
    what: 'a request for an API key',
    script: call('read_report'),
    asked: { kind: 'authorization', title: 'The agent asks for a credential' },
    reason: 'standfast:auth_required',
    values: { credential: 'open-sesame' },
    result: `read_report returned {"key": "${fingerprint('open-sesame')}", "report": "all is well"}`,
  },
];

const suite = hasPython ? describe : describe.skip;

const { supervisor, up } = startProduct(async () => {
  const [adk, older] = await Promise.all([startAdkAgent(supervisor, 'plain'), startAdkAgent(supervisor, 'older')]);
  return `
agents:
  adk: { url: '${adk.url}' }
  older: { url: '${older.url}' }
  told: { url: '${older.url}', extensions: ['https://google.github.io/adk-docs/a2a/a2a-extension/'] }
`;
});

suite('an agent on google-adk', () => {
  test('an agent on google-adk thinks in reasoning events, and its reasoning is not a part of its answer', async () => {
    const events = ended(await up.run('adk', { threadId: 'thoughts', text: 'think I wonder\nsay Hello' }), 'success');
    expect(wordsOf(events)).toBe('Hello');
    const reasoning = events.filter(({ type }) => type === 'REASONING_MESSAGE_CONTENT');
    expect(reasoning.map((event) => event['delta']).join('')).toBe('I wonder');
  });

  test.each(['adk', 'older'])('ordinary tool calls are shown with their results, as "%s"', async (agent) => {
    const threadId = `calls ${agent}`;
    const events = ended(await up.run(agent, { threadId, text: call('look_up', { city: 'Rome' }) }, longMs), 'success');
    const toolEvents = events.filter(({ type }) => type.startsWith('TOOL_CALL'));
    expect(toolEvents.map(({ type }) => type)).toEqual([
      'TOOL_CALL_START',
      'TOOL_CALL_ARGS',
      'TOOL_CALL_END',
      'TOOL_CALL_RESULT',
    ]);
    expect(toolEvents[0]).toMatchObject({ toolCallName: 'look_up' });
    expect(JSON.parse(String(toolEvents[1]?.['delta']))).toEqual({ city: 'Rome' });
    expect(JSON.parse(String(toolEvents[3]?.['content']))).toEqual({ city: 'Rome', people: 3 });
    const snapshot = events.findLast(({ type }) => type === 'STATE_SNAPSHOT')?.['snapshot'];
    expect(JSON.stringify(snapshot)).not.toContain('adk-');
  });

  test.each(['adk', 'older'])(
    'an agent on google-adk binds its question to the call that waits, and tells what the tool returned as its result, as "%s"',
    async (agent) => {
      const threadId = `bound ${agent}`;
      const events = await ask(threadId, trip, agent);
      const starts = events.filter(({ type }) => type === 'TOOL_CALL_START');
      expect(starts).toHaveLength(1);
      expect(interruptsOf(events)[0]?.toolCallId).toBe(starts[0]?.['toolCallId']);
      expect(events.map(({ type }) => type)).not.toContain('TOOL_CALL_RESULT');
      const interruptId = interruptOf(events);
      const payload = { approved: true, editedArgs: { days: 2, fare: 'first' } };
      const resumed = await resume(threadId, [{ interruptId, status: 'resolved', payload }], agent);
      const toolEvents = resumed.filter(({ type }) => type.startsWith('TOOL_CALL'));
      expect(toolEvents).toMatchObject([
        {
          type: 'TOOL_CALL_RESULT',
          toolCallId: starts[0]?.['toolCallId'],
          metadata: { standfast: { approval: { values: payload } } },
        },
      ]);
      expect(JSON.parse(String(toolEvents[0]?.['content']))).toEqual({ booked: 'Rome', days: 2, fare: 'first' });
    },
  );

  test('an agent on google-adk whose card does not name its extension is spoken to with it where the configuration says so', async () => {
    // The newer executor repeats with its question what the tool returned so far; the older one does not.
    for (const [agent, isRepeated] of [
      ['told', true],
      ['older', false],
    ] as const) {
      await ask(`executor ${agent}`, payment, agent);
      expect((await openHold(up, agent, `executor ${agent}`)).message.includes('"ticket":"T-7"')).toBe(isRepeated);
    }
  });

  describe.each(ways)('an ADK agent that asks by $what', ({ what, script, asked, reason, values, result }) => {
    test('an ADK agent and goes on with the answer of a resume', async () => {
      const threadId = `resume ${what}`;
      const events = await ask(threadId, script);
      const interruptId = interruptOf(events);
      expect(interruptsOf(events)[0]).toMatchObject({ reason, metadata: { standfast: { dialect: 'adk' } } });
      const hold = await openHold(up, 'adk', threadId);
      expect(hold).toMatchObject({ ...asked, interruptId });
      expect(interruptsOf(events)[0]?.responseSchema).toEqual({ ...hold.schema, title: hold.title });
      expect(wordsOf(await resume(threadId, [{ interruptId, status: 'resolved', payload: values }]))).toContain(result);
      expect((await readHold(up, hold.id)).status).toBe('decided');
    });

    test('an ADK agent and goes on with the answer of the inbox', async () => {
      const threadId = `inbox ${what}`;
      await ask(threadId, script);
      expect(await decide(threadId, { status: 'resolved', values })).toContain(result);
    });
  });

  test.each(['adk', 'older'])(
    'an agent on google-adk says each of its words once, in its messages and in its state, as "%s"',
    async (agent) => {
      const events = ended(
        await up.run(agent, { threadId: `once ${agent}`, text: 'say Hello you' }, longMs),
        'success',
      );
      expect([...textsOf(events).values()]).toEqual(['Hello you']);
      // The person's own message has them too.
      const messages = events.findLast(({ type }) => type === 'MESSAGES_SNAPSHOT')?.['messages'];
      expect(JSON.stringify(messages).split('Hello you')).toHaveLength(3);
      const state = events.findLast(({ type }) => type === 'STATE_SNAPSHOT')?.['snapshot'];
      expect(state).toMatchObject({ view: { artifacts: expect.anything() } });
      expect(JSON.stringify(state)).toContain('Hello you');
    },
  );

  test.each(['adk', 'older'])(
    'an agent on google-adk has two approvals of one turn both asked, as "%s"',
    async (agent) => {
      const threadId = `two ${agent}`;
      const script = [payment, call('delete_file', { path: '/y' })].join('\n');
      const asked = interruptsOf(await ask(threadId, script, agent));
      expect(asked.map(({ metadata }) => toolOf(metadata)).toSorted()).toEqual(['delete_file', 'request_payment']);
      const entries = asked.map(({ id }) => ({
        interruptId: id,
        status: 'resolved' as const,
        payload: { approved: true },
      }));
      expect(wordsOf(await resume(threadId, entries, agent))).toContain('delete_file returned {"deleted": "/y"}');
    },
  );

  test('an agent on google-adk declares approvals with edits without a line of configuration', async () => {
    await ask('declared', payment);
    const { body } = await up.get('/agents/adk/capabilities');
    expect(body).toMatchObject({ humanInTheLoop: { approvals: true, approveWithEdits: true } });
  });

  test('an agent on google-adk is given nothing that its schema does not allow, and the question stays open', async () => {
    await ask('invalid', call('adk_request_input', { message: 'Seats, please.', response_schema: integer }));
    const { id } = await openHold(up, 'adk', 'invalid');
    const answer = await up.post(`/api/holds/${id}/decision`, { status: 'resolved', values: { result: 0 } });
    expect(codeOf(answer)).toBe('payload_invalid');
    expect((await readHold(up, id)).status).toBe('open');
  });

  test('an agent on google-adk runs a confirmed tool with its own payload where people do not change that', async () => {
    await ask('unchanged', trip);
    expect(await decide('unchanged', { status: 'resolved', values: { approved: true } })).toContain(
      'book_trip returned {"booked": "Rome", "days": 3.0, "fare": "eco"}',
    );
  });

  test('an agent on google-adk receives a refused long-running call, with the reason', async () => {
    const interruptId = interruptOf(await ask('refused call', payment));
    const events = await resume('refused call', [
      { interruptId, status: 'cancelled', payload: { reason: 'no budget' } },
    ]);
    expect(wordsOf(events)).toMatch(/"comment": "no budget".*"status": "rejected"/);
    await ask('refused in the inbox', payment);
    const reply = await decide('refused in the inbox', { status: 'cancelled', reason: 'no budget' });
    expect(reply).toMatch(/"comment": "no budget".*"status": "rejected"/);
  });

  test.each([
    ['by a "no"', { status: 'resolved', values: { approved: false } }],
    ['by cancelling', { status: 'cancelled' }],
    ['by cancelling with a reason', { status: 'cancelled', reason: 'not today' }],
  ])('an agent on google-adk does not run a tool that was refused %s', async (how, decision) => {
    const threadId = `refused ${how}`;
    await ask(threadId, call('delete_file', { path: '/x' }));
    const reply = await decide(threadId, decision);
    expect(reply).toContain('rejected');
    expect(reply).not.toContain('deleted');
    expect((await holdsOf(up, 'adk', threadId)).map(({ status }) => status)).not.toContain('open');
  });

  test('an agent on google-adk hands the reason of a refusal to a tool that reads it', async () => {
    await ask('reason', trip);
    expect(await decide('reason', { status: 'cancelled', reason: 'not today' })).toContain(
      'book_trip returned {"status": "refused", "why": "not today"}',
    );
  });

  test('an agent on google-adk takes the authorisation of a provider by the address that people were sent back to', async () => {
    const interrupt = interruptsOf(await ask('oauth', call('read_calendar')))[0];
    expect(interrupt).toMatchObject({ reason: 'standfast:auth_required' });
    const [link] = linksOf(interrupt?.metadata);
    const state = new URL(link ?? '').searchParams.get('state') ?? '';
    const callbackUrl = `http://127.0.0.1:9/back?state=${state}&code=good-code`;
    const events = await resume('oauth', [
      { interruptId: interrupt?.id ?? '', status: 'resolved', payload: { callbackUrl } },
    ]);
    expect(wordsOf(events)).toContain(
      `read_calendar returned {"meetings": 2, "token": "${fingerprint('token-of-good-code')}"}`,
    );
    expect(JSON.stringify(await holdsOf(up, 'adk', 'oauth'))).not.toContain('good-code');
  });

  test('an agent on google-adk shows no credential to anybody who reads the stream or the hold', async () => {
    await ask('secret', call('read_report'));
    await decide('secret', { status: 'resolved', values: { credential: 'abracadabra' } });
    const [hold] = await holdsOf(up, 'adk', 'secret');
    const run = await (await up.follow('adk', 'secret', { query: '?follow=false' })).over(longMs);
    expect(JSON.stringify([hold, run])).not.toContain('abracadabra');
  });

  test('an agent on google-adk that is asked something in words complains, and asks for the same call again', async () => {
    await ask('talk', payment);
    const first = await openHold(up, 'adk', 'talk');
    const sent = await up.post(`/api/tasks/${first.taskId}/chat/message`, { text: 'Who is Ada?' });
    expect([sent.status, codeOf(sent)]).toEqual([200, null]);
    const second = await waitFor(
      async () => (await holdsOf(up, 'adk', 'talk')).find(({ status, id }) => status === 'open' && id !== first.id),
      longMs,
      'the question again',
    );
    expect(second).toMatchObject({ kind: 'tool_call', title: first.title, supersedes: first.id });
    expect(second.message).toContain('could not use the last message');
    expect(second.tool?.callId).toBe(first.tool?.callId);
    const values = { approved: true };
    expect(await decide('talk', { status: 'resolved', values })).toContain('"status": "approved"');
  });

  test('an agent on google-adk asks for several things at once, and one resume answers them all, yes and no mixed', async () => {
    const script = [call('delete_file', { path: '/y' }), trip, call('delete_file', { path: '/w' })].join('\n');
    const [first, second, third, ...more] = interruptsOf(await ask('several', script));
    expect([first, second, third].map((one) => toolOf(one?.metadata))).toEqual([
      'delete_file',
      'book_trip',
      'delete_file',
    ]);
    expect(more).toEqual([]);
    const events = await resume('several', [
      { interruptId: first?.id ?? '', status: 'cancelled', metadata: { reason: 'still needed' } },
      {
        interruptId: second?.id ?? '',
        status: 'resolved',
        payload: { approved: true, editedArgs: { days: 1, fare: 'eco' } },
      },
      { interruptId: third?.id ?? '', status: 'resolved', payload: { approved: true } },
    ]);
    expect(wordsOf(events)).toContain(
      [
        'delete_file returned {"error": "This tool call is rejected."}',
        'book_trip returned {"booked": "Rome", "days": 1.0, "fare": "eco"}',
        'delete_file returned {"deleted": "/w"}',
      ].join('\n'),
    );
    expect(wordsOf(events)).not.toContain('/y');
  });

  test('an agent on google-adk is given the results of several long-running calls together', async () => {
    const script = [payment, call('request_payment', { amount: 6, payee: 'Bob' })].join('\n');
    const [ada, bob] = interruptsOf(await ask('payments', script));
    const reply = wordsOf(
      await resume('payments', [
        { interruptId: ada?.id ?? '', status: 'resolved', payload: { approved: true } },
        { interruptId: bob?.id ?? '', status: 'cancelled' },
      ]),
    );
    expect(reply).toContain('"payee": "Ada", "status": "approved"');
    expect(reply).toContain('"payee": "Bob", "status": "rejected"');
  });

  test('an agent on google-adk receives a refused credential together with an approval, which it carries out', async () => {
    const script = [call('read_calendar'), call('delete_file', { path: '/v' })].join('\n');
    const asked = interruptsOf(await ask('no access', script));
    const calendar = asked.find(({ reason }) => reason === 'standfast:auth_required');
    const file = asked.find(({ reason }) => reason === 'tool_call');
    expect(asked).toHaveLength(2);
    const events = await resume('no access', [
      { interruptId: calendar?.id ?? '', status: 'cancelled', metadata: { reason: 'not to them' } },
      { interruptId: file?.id ?? '', status: 'resolved', payload: { approved: true } },
    ]);
    expect(wordsOf(events)).toContain('delete_file returned {"deleted": "/v"}');
    expect(wordsOf(events)).toContain('read_calendar returned {"result": "Pending User Authorization."}');
  });

  test('an agent on google-adk is understood without its extension too', async () => {
    const interruptId = interruptOf(await ask('older', call('delete_file', { path: '/z' }), 'older'));
    expect(await openHold(up, 'older', 'older')).toMatchObject({ kind: 'tool_call', title: 'Approve delete_file?' });
    const events = await resume('older', [{ interruptId, status: 'resolved', payload: { approved: true } }], 'older');
    expect(wordsOf(events)).toContain('delete_file returned {"deleted": "/z"}');
    await ask('older payment', payment, 'older');
    const values = { approved: true };
    expect(await decide('older payment', { status: 'resolved', values }, 'older')).toContain('"status": "approved"');
  });

  test('an agent on google-adk leaves no failed workflow task behind', async () => {
    expect(await failedWorkflowTasks(up.temporalAddress)).toEqual([]);
  });
});

function standfastOf(metadata: unknown): Record<string, unknown> {
  const { standfast }: Record<string, unknown> = { ...asRecord(metadata) };
  return asRecord(standfast);
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

function toolOf(metadata: unknown): string {
  return String(asRecord(standfastOf(metadata)['tool'])['name']);
}

function linksOf(metadata: unknown): string[] {
  const links = standfastOf(metadata)['links'];
  return Array.isArray(links) ? links.map((link) => String(asRecord(link)['url'])) : [];
}
