// Real LangGraph agents, LangChain's review of tool calls among them, behind the official Python SDK: what interrupts the graph
// is asked of people, and what they answer resumes it. Skipped where there is no Python (scripts/python-agents.mjs).
import { describe, expect, test } from '@jest/globals';
import { interruptsOf, textsOf } from '../../rigs/streams/agui.ts';
import type { RunRequest } from '../../rigs/streams/agui.ts';
import { hasPython, startGraphAgent } from '../../rigs/agents/python-agent.ts';
import type { WireEvent } from '../../rigs/streams/sse-stream.ts';
import { codeOf, ended, failedWorkflowTasks, holdsOf, longMs, openHold, waitForTask } from '../setting.ts';
import { startProduct } from '../start-product.ts';

const wordsOf = (events: readonly WireEvent[]): string => [...textsOf(events).values()].join('\n');
const call = (tool: string, args: object): string => `call ${tool} ${JSON.stringify(args)}`;
const mail = call('send_email', { to: 'Ada', subject: 'Hi' });
const deletion = call('delete_file', { path: '/x' });

const ask = async (agent: string, threadId: string, text: string): Promise<WireEvent[]> =>
  ended(await up.run(agent, { threadId, text }, longMs), 'interrupt');

async function resume(
  agent: string,
  threadId: string,
  entries: NonNullable<RunRequest['resume']>,
  end = 'success',
): Promise<WireEvent[]> {
  return ended(await up.run(agent, { threadId, resume: entries }, longMs), end);
}

type Answer = { payload: object } | { cancelled: string };

/** Answers all open interrupts of a run, in their order. */
const answers = (events: readonly WireEvent[], ...given: Answer[]): NonNullable<RunRequest['resume']> =>
  interruptsOf(events).map(({ id }, index) => {
    const one = given[index] ?? { cancelled: '' };
    return 'payload' in one
      ? { interruptId: id, status: 'resolved' as const, payload: one.payload }
      : { interruptId: id, status: 'cancelled' as const, metadata: { reason: one.cancelled } };
  });

const toolEvents = (events: readonly WireEvent[]): unknown[] =>
  events.filter(({ type }) => type.startsWith('TOOL_CALL')).map(({ type, toolCallId }) => [type, toolCallId]);
const resultsOf = (events: readonly WireEvent[]): Record<string, unknown> =>
  Object.fromEntries(
    events.filter(({ type }) => type === 'TOOL_CALL_RESULT').map((event) => [event['toolCallId'], event['content']]),
  );

const suite = hasPython ? describe : describe.skip;

const { supervisor, up } = startProduct(async () => {
  const kinds = ['batched', 'per_call', 'inbox', 'graph', 'shared'] as const;
  const started = await Promise.all(kinds.map((kind) => startGraphAgent(supervisor, kind)));
  const names = kinds.map((kind) => kind.replace('_', '-'));
  const agents = started.map(({ url }, index) => `  ${names[index]}: { url: '${url}' }`);
  return `agents:\n${agents.join('\n')}\n`;
});

suite('an agent on LangGraph', () => {
  // Promise Y25
  test('an agent on LangGraph that asks about two calls under one id takes a refusal and an approval of them for no approval of the refused one', async () => {
    const threadId = 'two under one id';
    const asked = await ask('shared', threadId, 'say pay both');
    const holds = await holdsOf(up, 'shared', threadId);
    expect(holds.map(({ message }) => /several things under one id/u.test(message))).toEqual([true, true]);
    expect(holds.map(({ context }) => context.toolArgs)).toEqual([{ number: 1 }, { number: 2 }]);
    const given = answers(asked, { payload: { approved: false } }, { payload: { approved: true } });
    // LangGraph 1.2.22 gives the list to the first call, which is not made, and asks about the second again.
    const again = await resume('shared', threadId, given, 'interrupt');
    const open = (await holdsOf(up, 'shared', threadId)).filter(({ status }) => status === 'open');
    expect(open.map(({ context }) => context.toolArgs)).toEqual([{ number: 2 }]);
    const done = await resume('shared', threadId, answers(again, { payload: { approved: true } }));
    expect(wordsOf(done)).toContain('payment 1 was left out; payment 2 was made');
  });

  // Promise D6
  test.each(['batched', 'per-call'])(
    'an agent on LangGraph has each of its tool calls approved, changed or refused separately, asking as "%s"',
    async (agent) => {
      const threadId = `mixed ${agent}`;
      const asked = await ask(agent, threadId, [mail, deletion, mail].join('\n'));
      expect(interruptsOf(asked)).toMatchObject([
        { reason: 'tool_call', toolCallId: 'call-1-1' },
        { reason: 'tool_call', toolCallId: 'call-1-2' },
        { reason: 'tool_call', toolCallId: 'call-1-3' },
      ]);
      // The agent announced its calls itself: they are not announced again.
      expect(toolEvents(asked).filter((one) => String(one).startsWith('TOOL_CALL_START'))).toHaveLength(3);
      expect((await holdsOf(up, agent, threadId)).map(({ title, kind }) => [title, kind])).toEqual([
        ['Approve send_email?', 'tool_call'],
        ['Approve delete_file?', 'tool_call'],
        ['Approve send_email?', 'tool_call'],
      ]);
      const events = await resume(
        agent,
        threadId,
        answers(
          asked,
          { payload: { approved: true, editedArgs: { to: 'Bea', subject: 'Hi' } } },
          { payload: { approved: false, reason: 'still needed' } },
          { payload: { approved: true } },
        ),
      );
      expect(wordsOf(events)).toContain('sent "Hi" to Bea');
      expect(wordsOf(events)).toContain('still needed');
      expect(wordsOf(events)).not.toContain('deleted /x');
      const results = resultsOf(events);
      expect(Object.keys(results).toSorted()).toEqual(['call-1-1', 'call-1-2', 'call-1-3']);
      expect(results['call-1-1']).toContain('sent "Hi" to Bea');
      expect(results['call-1-2']).toContain('"executed":false');
      expect(results['call-1-3']).toBe('sent "Hi" to Ada');
    },
  );

  test('an agent on LangGraph is answered in the inbox as by a resume, call by call', async () => {
    const asked = await ask('batched', 'inbox', [mail, deletion].join('\n'));
    expect(interruptsOf(asked)).toHaveLength(2);
    const [first, second] = await holdsOf(up, 'batched', 'inbox');
    for (const [hold, decision] of [
      [first, { status: 'resolved', values: { approved: true } }],
      [second, { status: 'cancelled', reason: 'not today' }],
    ] as const) {
      const answer = await up.post(`/api/holds/${hold?.id}/decision`, decision);
      expect([answer.status, codeOf(answer)]).toEqual([200, null]);
    }
    expect((await waitForTask(up, first?.taskId ?? '', 'DONE', 'FAILED')).status).toBe('DONE');
    const shown = wordsOf(await (await up.follow('batched', 'inbox', { query: '?follow=false' })).over(longMs));
    expect(shown).toContain('sent "Hi" to Ada');
    expect(shown).toContain('not today');
  });

  // Promise D8
  test('an agent on LangGraph is not given a decision that it does not allow, and the question stays open', async () => {
    await ask('batched', 'not allowed', deletion);
    const { id } = await openHold(up, 'batched', 'not allowed');
    for (const values of [
      { approved: true, editedArgs: { path: '/y' } },
      { approved: true, response: 'done' },
      { decisions: [{ type: 'approve' }, { type: 'approve' }] },
    ]) {
      const answer = await up.post(`/api/holds/${id}/decision`, { status: 'resolved', values });
      expect(codeOf(answer)).toBe('payload_invalid');
    }
    expect((await openHold(up, 'batched', 'not allowed')).id).toBe(id);
  });

  test('an agent on LangGraph that asks a person in a tool gets the answer as its result', async () => {
    const asked = await ask('batched', 'person', call('ask_user', { question: 'Which colour?' }));
    expect(await openHold(up, 'batched', 'person')).toMatchObject({ kind: 'text', title: 'Answer for ask_user' });
    expect(wordsOf(await resume('batched', 'person', answers(asked, { payload: { text: 'green' } })))).toContain(
      'ask_user returned green',
    );
  });

  // Promise D6
  test.each([
    ['accepted', { approved: true }, { type: 'accept', args: null }],
    [
      'changed',
      { approved: true, editedArgs: { title: 'Better', draft: false } },
      { type: 'edit', args: { action: 'publish', args: { title: 'Better', draft: false } } },
    ],
    ['answered', { approved: true, response: 'shorter' }, { type: 'response', args: 'shorter' }],
    ['ignored', { approved: false }, { type: 'ignore', args: null }],
  ])('asking as for Agent Inbox is %s in the shape that it expects', async (how, payload, response) => {
    const asked = await ask('inbox', how, 'My title');
    expect(await openHold(up, 'inbox', how)).toMatchObject({
      title: 'Approve publish?',
      message: 'One more thing.\n\nShall this be published?',
      context: { toolArgs: { title: 'My title', draft: true } },
    });
    const reply = wordsOf(await resume('inbox', how, answers(asked, { payload })));
    const got: unknown = JSON.parse(reply.slice(reply.indexOf('{')));
    expect(got).toEqual(response);
  });

  // Promise D9
  test.each([
    ['JSON', { data: { flight: 'XY 12', seats: 2 } }, '{"flight": "XY 12", "seats": 2}'],
    ['typed JSON', { text: '{"flight":"XY 12"}' }, '{"flight": "XY 12"}'],
    ['words', { text: 'the first one' }, '"the first one"'],
  ])('interrupted by data of a shape of its own shows it, and takes %s', async (how, payload, got) => {
    const asked = await ask('graph', how, 'fly');
    expect(interruptsOf(asked)).toMatchObject([{ reason: 'input_required' }]);
    const hold = await openHold(up, 'graph', how);
    expect(hold.message).toContain('"no": "XY 12"');
    expect(wordsOf(await resume('graph', how, answers(asked, { payload })))).toContain(`got ${got}`);
  });

  test('an agent on LangGraph leaves no failed workflow task behind', async () => {
    expect(await failedWorkflowTasks(up.temporalAddress)).toEqual([]);
  });
});
