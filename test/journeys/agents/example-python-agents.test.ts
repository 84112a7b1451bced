// The agents in examples/agents/python, as their readers would run them: each way of asking through Standfast and back. Skipped
// where there is no Python (scripts/python-agents.mjs).
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { textsOf } from '../../rigs/streams/agui.ts';
import { hasPython, startPythonExample } from '../../rigs/agents/python-agent.ts';
import { codeOf, ended, holdsOf, longMs, openHold, waitForTask } from '../setting.ts';
import { startProduct } from '../start-product.ts';

const suite = hasPython ? describe : describe.skip;

async function ask(agent: string, text: string): Promise<Awaited<ReturnType<typeof holdsOf>>> {
  ended(await up.run(agent, { threadId: agent, text }, longMs), 'interrupt');
  return holdsOf(up, agent, agent);
}

async function decide(id: string | undefined, decision: object): Promise<void> {
  const answer = await up.post(`/api/holds/${id}/decision`, decision);
  expect([answer.status, codeOf(answer)]).toEqual([200, null]);
}

const resolved = (values: object): object => ({ status: 'resolved', values });

/** The agent's text once its task was done. */
async function doneWords(agent: string, taskId: string | undefined): Promise<string> {
  expect((await waitForTask(up, taskId ?? '', 'DONE', 'FAILED')).status).toBe('DONE');
  const events = await (await up.follow(agent, agent, { query: '?follow=false' })).over(longMs);
  return [...textsOf(events).values()].join('\n');
}

const { supervisor, up } = startProduct(async () => {
  const names = ['expense_form', 'guarded_tools', 'reviewed_graph', 'adk_accounts'];
  const started = await Promise.all(names.map((name) => startPythonExample(supervisor, name)));
  const agents = started.map(({ url }, index) => `  ${names[index]?.replace('_', '-')}: { url: '${url}' }`);
  return `agents:\n${agents.join('\n')}\n`;
});

suite('a Python example', () => {
  test('a Python example that asks by a form says by field what is wrong, and goes on with what is right', async () => {
    const [first] = await ask('expense-form', 'A fair, 640 EUR');
    expect(first).toMatchObject({ kind: 'form', title: 'Approve an expense', defaults: { amount: 640 } });
    const values = { amount: 640, costCentre: 'sales', purpose: 'a fair', approve: true };
    await decide(first?.id, resolved(values));
    await waitForTask(up, first?.taskId ?? '', 'NEEDS_REVIEW');
    const second = await openHold(up, 'expense-form', 'expense-form');
    expect(second.id).not.toBe(first?.id);
    expect(second.errors).toEqual({ purpose: expect.stringContaining('at least 20 characters') });
    await decide(second.id, resolved({ ...values, purpose: 'our stand at the spring fair' }));
    expect(await doneWords('expense-form', first?.taskId)).toContain('Approved: 640.00 EUR will be paid.');
  });

  // Promise Q24
  test('a Python example that guards its tools executes what was approved, as it was changed, and nothing else', async () => {
    const [ana, ben] = await ask('guarded-tools', 'refund 40 EUR to Ana, 12 EUR to Ben');
    expect([ana?.kind, ben?.kind]).toEqual(['tool_call', 'tool_call']);
    expect(ana?.context.toolArgs).toEqual({ to: 'Ana', amount: 40 });
    await decide(ana?.id, resolved({ approved: true, editedArgs: { to: 'Ana', amount: 30 } }));
    await decide(ben?.id, resolved({ approved: false, reason: 'paid before' }));
    expect(await doneWords('guarded-tools', ana?.taskId)).toContain('paid 30 EUR to Ana; not paid: paid before');
  });

  test('a Python example on LangGraph has its calls reviewed one by one', async () => {
    const script = 'call send_email {"to": "Ada", "subject": "Hi"}\ncall delete_file {"path": "/x"}';
    const [mail, deletion] = await ask('reviewed-graph', script);
    await decide(mail?.id, resolved({ approved: true, editedArgs: { to: 'Bea', subject: 'Hi' } }));
    await decide(deletion?.id, { status: 'cancelled', reason: 'still needed' });
    const reply = await doneWords('reviewed-graph', mail?.taskId);
    expect(reply).toContain('sent "Hi" to Bea');
    expect(reply).toContain('still needed');
    expect(reply).not.toContain('deleted /x');
  });

  test('a Python example on ADK has a tool confirmed with the payload that people changed', async () => {
    const [trip] = await ask('adk-accounts', 'call book_trip {"city": "Rome"}');
    expect(trip).toMatchObject({ kind: 'tool_call', defaults: { editedArgs: { days: 3, fare: 'eco' } } });
    await decide(trip?.id, resolved({ approved: true, editedArgs: { days: 2, fare: 'first' } }));
    expect(await doneWords('adk-accounts', trip?.taskId)).toContain('{"booked": "Rome", "days": 2.0, "fare": "first"}');
  });
});

test('the Python examples ask for the packages that their tests run with', async () => {
  const read = async (path: string): Promise<string[]> =>
    (await readFile(new URL(path, import.meta.url), 'utf8')).split('\n').filter((line) => /^[^#\s]/.test(line));
  const tested = await read('../../rigs/agents/python/requirements.txt');
  const wanted = await read('../../../examples/agents/python/requirements.txt');
  expect(wanted.length).toBeGreaterThan(0);
  // The tests have more extras of a package.
  const versions = new Set(tested.map((line) => line.replace(/\[.*?\]/u, '')));
  expect(wanted.filter((line) => !versions.has(line.replace(/\[.*?\]/u, '')))).toEqual([]);
});
