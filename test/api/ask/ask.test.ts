// Questions of programs over plain HTTP, on a real socket; a stand-in opens what a worker would open.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { verifyReceipt } from '../../../packages/client/verify/receipt.js';
import { askThreadId } from '../../../src/api/ask/ask-runs.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { TaskStart } from '../../../src/contract/tasks/run.ts';
import type { AskReply } from '../../../src/contract/views/ask.ts';
import { askAgent } from '../../../src/core/base/ids.ts';
import { callbackOf } from '../../../src/core/questions/ask.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { aPrincipal } from '../../rigs/factories.ts';
import { aProvedDecision, closeSent } from '../../rigs/proofs.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import {
  aDecision,
  anEnd,
  bearer,
  withdrawWhatIsAsked,
  freshThread,
  keyConfig,
  type keys,
  openWhatIsAsked,
} from '../rig.ts';
import { describeApi } from '../describe-api.ts';

type Who = keyof typeof keys;
interface Answer {
  status: number;
  body: Partial<AskReply> & { code?: string; detail?: string };
}

let starts: TaskStart[];
const policies = { finance: { audience: ['role:finance'] }, travel: { audience: ['role:finance'] }, alone: {} };
const askable = { policy: 'finance', policies: ['finance', 'alone'], signals: { default: ['answer'] } };
const rig = describeApi({ withKeys: true, config: { auth: { keys: keyConfig }, policies, ask: askable } });
beforeEach(() => {
  starts = openWhatIsAsked(rig);
});

async function send(method: 'POST' | 'GET' | 'DELETE', url: string, who: Who, payload?: JsonObject): Promise<Answer> {
  const headers = bearer(who);
  const response = await rig.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
  if (response.statusCode < 300) expect(response.headers['cache-control']).toBe('private, no-store');
  return { status: response.statusCode, body: response.json() };
}
const ask = (payload: JsonObject, who: Who = 'anna'): Promise<Answer> => send('POST', '/api/ask', who, payload);
const read = (id: string, who: Who = 'anna', wait = 0): Promise<Answer> =>
  send('GET', `/api/ask?id=${encodeURIComponent(id)}&wait=${wait}`, who);

async function holdOf(id: string, who: Who = 'anna'): Promise<HoldRow> {
  const [hold] = await rig.store.holds.ofThread(askAgent, askThreadId({ id: who }, id));
  if (hold === undefined) throw new Error(`nothing is asked under ${id}`);
  return hold;
}
async function end(id: string, status: Parameters<typeof anEnd>[0], decision: HoldRow['decision']): Promise<void> {
  const { holdId } = await holdOf(id);
  await closeSent(rig.store, holdId, anEnd(status, decision, null));
}
const open = {
  expiresAt: null,
  values: null,
  verdict: null,
  approved: null,
  args: null,
  by: null,
  reason: null,
  assumed: false,
};

describe('POST /api/ask', () => {
  // Promise Y20
  test('POST /api/ask refuses a number that a double does not hold, with its path', async () => {
    const payload = '{"id":"exact","tool":{"name":"pay","args":{"to":[{"account":9007199254740993}]}}}';
    const headers = { ...bearer('anna'), 'content-type': 'application/json' };
    const response = await rig.app.inject({ method: 'POST', url: '/api/ask', headers, payload });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ code: 'input_invalid' });
    expect(response.body).toContain('/tool/args/to/0/account: the number 9007199254740993');
    expect(response.body).toContain('send it as a text');
  });

  test('POST /api/ask asks once: the same id waits for the same answer in all of the program’s processes', async () => {
    const id = `${freshThread()}/with a slash`;
    const schema = { type: 'object', properties: { colour: { enum: ['red', 'blue'] } }, required: ['colour'] };
    const question = { id, title: 'A colour', message: 'Which?', schema, defaults: { colour: 'red' } };
    const first = await ask(question);
    const { holdId, question: kept } = await holdOf(id);
    const link = `http://127.0.0.1:8600/holds/${holdId}`;
    expect(first).toEqual({ status: 202, body: { id, version: 1, status: 'waiting', holdId, link, ...open } });
    expect(kept).toMatchObject({ kind: 'form', title: 'A colour', message: 'Which?', schema });
    expect(kept.reply['policy']).toBe('finance');
    await end(id, 'decided', aDecision({ by: 'fin', values: { colour: 'blue' } }));
    const answered = { status: 200, body: { id, status: 'answered', values: { colour: 'blue' }, by: 'fin' } };
    expect(await ask(question)).toMatchObject(answered);
    expect(await read(id)).toMatchObject(answered);
    expect(starts).toHaveLength(1);
  });

  test('POST /api/ask waits as long as it should, and answers as soon as somebody has', async () => {
    const id = freshThread();
    const waiting = ask({ id, message: 'Which colour?', wait: 30 });
    await waitFor(
      async () => (await rig.store.holds.ofThread(askAgent, askThreadId({ id: 'anna' }, id))).length > 0,
      5_000,
      'the question',
    );
    await end(id, 'decided', aDecision({ values: { text: 'red' } }));
    expect(await waiting).toMatchObject({ status: 200, body: { status: 'answered', values: { text: 'red' } } });
  });

  test('POST /api/ask has a tool call approved: with edited arguments, and refused with a reason', async () => {
    const call = { name: 'pay', args: { amount: 4210 }, editable: true };
    const yes = freshThread();
    expect((await ask({ id: yes, tool: call, message: 'Invoice 7' })).body.approved).toBeNull();
    expect((await holdOf(yes)).question).toMatchObject({
      kind: 'tool_call',
      title: 'Approve pay?',
      tool: { callId: yes, name: 'pay', args: { amount: 4210 }, isEditable: true },
    });
    await end(yes, 'decided', aDecision({ values: { approved: true, editedArgs: { amount: 42 } } }));
    expect((await read(yes)).body).toMatchObject({ status: 'answered', approved: true, args: { amount: 42 } });
    const no = freshThread();
    await ask({ id: no, tool: { name: 'pay', args: { amount: 1 } }, title: 'Pay one euro?' });
    expect((await holdOf(no)).question.title).toBe('Pay one euro?');
    await end(no, 'decided', aDecision({ values: { approved: false, reason: 'too dear' } }));
    expect((await read(no)).body).toMatchObject({ approved: false, args: null, reason: 'too dear' });
    const declined = freshThread();
    await ask({ id: declined, tool: { name: 'pay', args: {} } });
    await end(declined, 'cancelled', aDecision({ status: 'cancelled', reason: 'not mine' }));
    expect((await read(declined)).body).toMatchObject({ status: 'declined', approved: false, reason: 'not mine' });
  });

  // Promise OT3
  test('A strict call of /api/ask is a success of HTTP for a yes or an answer alone', async () => {
    const strict = (id: string): Promise<Answer> => send('GET', `/api/ask?id=${id}&strict=1`, 'anna');
    const tool = { name: 'deploy', args: {} };
    const asked = async (body: JsonObject): Promise<string> => {
      const id = freshThread();
      const first = await send('POST', '/api/ask?strict=1', 'anna', { id, ...body });
      expect(first).toMatchObject({ status: 408, body: { status: 'waiting', verdict: null } });
      return id;
    };
    const [yes, no, text, expired] = [
      await asked({ tool }),
      await asked({ tool }),
      await asked({ message: 'Why?' }),
      await asked({ tool }),
    ];
    await end(yes, 'decided', aDecision({ values: { approved: true } }));
    await end(no, 'decided', aDecision({ values: { approved: false } }));
    await end(text, 'decided', aDecision({ values: { text: 'because' } }));
    await end(expired, 'expired', null);
    expect(await strict(yes)).toMatchObject({ status: 200, body: { verdict: 'yes' } });
    expect(await strict(no)).toMatchObject({ status: 409, body: { status: 'answered', verdict: 'no' } });
    expect(await strict(text)).toMatchObject({ status: 200, body: { verdict: 'answered' } });
    expect(await strict(expired)).toMatchObject({ status: 409, body: { status: 'expired', verdict: null } });
    expect(await read(no)).toMatchObject({ status: 200, body: { verdict: 'no' } });
    expect(await send('POST', '/api/ask?strict=1', 'anna', { tool })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('id: missing') },
    });
  });

  // Promise RC3
  test('POST /api/ask brings the receipt of an approval, which the key at the well-known address proves, and none of a no', async () => {
    const receipt = { forMs: 600_000, version: 'sha256:v' };
    const call = { name: 'pay', args: { amount: 4210 } };
    const [yes, no] = [freshThread(), freshThread()];
    for (const [id, approved] of [
      [yes, true],
      [no, false],
    ] as const) {
      await ask({ id, tool: call });
      const { holdId, plan } = await holdOf(id);
      await rig.store.holds.amend(holdId, { plan: { ...plan, receipt }, audience: ['role:finance'] });
      const given = { by: aPrincipal('fin', 'finance'), at: new Date().toISOString(), entry: { values: { approved } } };
      await end(id, 'decided', aProvedDecision(await holdOf(id), given));
    }
    const { receipt: jws = '' } = (await read(yes)).body;
    const jwks = (await rig.app.inject({ url: '/.well-known/jwks.json' })).json<{ keys: [] }>();
    expect(jwks.keys).toHaveLength(1);
    const expected = {
      jwks,
      agent: 'program:anna',
      tool: 'pay',
      args: call.args,
      role: 'role:finance',
      once: () => true,
    };
    expect(await verifyReceipt(jws, expected)).toMatchObject({ by: [{ id: 'fin' }], task: null });
    await expect(verifyReceipt(jws, { ...expected, args: { amount: 1 } })).rejects.toThrow('another call');
    expect((await read(no)).body).not.toHaveProperty('receipt');
  });

  // Promise Y79
  test('POST /api/ask gives a program no approval that a row was given and no one proved, whatever source it names, and says why', async () => {
    const yes = { by: 'fin', values: { approved: true } };
    const tool = { name: 'pay', args: { amount: 4210 } };
    for (const source of ['page', 'agent', 'signal', 'clock', 'grant', 'chat'] as const) {
      const id = freshThread();
      await ask({ id, tool });
      const { holdId } = await holdOf(id);
      await rig.store.holds.close(holdId, anEnd('decided', aDecision({ ...yes, source }), null));
      const reason = expect.stringMatching(/^its answer was not taken: .*ask an operator$/);
      const none = { status: 'withdrawn', approved: null, args: null, verdict: null, values: null, reason };
      expect((await read(id)).body).toMatchObject(none);
    }
    const [copied, proved] = [freshThread(), freshThread()];
    for (const id of [copied, proved]) await ask({ id, tool });
    await end(proved, 'decided', aDecision(yes));
    const { decision, ended, votes } = await holdOf(proved);
    const { holdId } = await holdOf(copied);
    await rig.store.holds.close(holdId, { ...anEnd('decided', decision), ended, votes });
    expect((await read(copied)).body).toMatchObject({ status: 'withdrawn', approved: null });
    expect((await read(proved)).body).toMatchObject({ status: 'answered', approved: true });
  });

  test('POST /api/ask tells an answer that a policy took in place of people from one of theirs', async () => {
    const id = freshThread();
    await ask({ id, message: 'Which colour?' });
    const { holdId, plan, digest } = await holdOf(id);
    const defaults = { text: 'red' };
    await rig.store.holds.amend(holdId, { plan: { ...plan, policy: 'finance', then: 'default', defaults } });
    const decision = aDecision({ by: 'policy:finance', source: 'clock', values: { text: 'red' }, digest });
    await end(id, 'decided', decision);
    expect((await read(id)).body).toMatchObject({ status: 'answered', assumed: true, by: 'policy:finance' });
  });

  test('POST /api/ask tells apart how it ended without an answer', async () => {
    for (const status of ['expired', 'withdrawn', 'cancelled'] as const) {
      const id = freshThread();
      await ask({ id, message: 'Which colour?' });
      await end(id, status, null);
      expect(await read(id)).toMatchObject({ status: 200, body: { status, ...open } });
    }
  });

  test('POST /api/ask keeps the ids of callers apart, and refuses another question under a used one', async () => {
    const id = freshThread();
    await ask({ id, message: 'Which colour?' });
    expect(await read(id, 'ben')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await ask({ id, message: 'Which size?' }, 'ben')).toMatchObject({ status: 202 });
    expect(await ask({ id, message: 'Which size?' })).toMatchObject({ status: 409, body: { code: 'run_conflict' } });
  });

  test('POST /api/ask obeys the same rules as MCP: which policies may be named, and that others are asked', async () => {
    const refused = async (body: JsonObject, who?: Who): Promise<unknown> => (await ask(body, who)).body.code;
    expect(await refused({ message: 'q', policy: 'travel' })).toBe('forbidden');
    expect(await refused({ message: 'q', policy: 'alone' })).toBe('forbidden');
    expect(await refused({ message: 'q', policy: 'finance' }, 'fin')).toBe('forbidden');
    expect(starts).toEqual([]);
  });

  test('POST /api/ask refuses what could not be shown, and says where', async () => {
    const secret = { type: 'object', properties: { key: { type: 'string', format: 'password' } } };
    const faults: [JsonObject, string][] = [
      [{}, 'message: missing'],
      [{ message: 'q', schema: { type: 'string' } }, 'its type is not'],
      [{ message: 'q', schema: secret }, 'a secret'],
      [{ tool: { name: 'pay' }, schema: secret }, 'tool: expected no schema'],
      [{ message: 'q', id: 'a\nb' }, 'control characters'],
      [{ message: 'q', callback: { url: 'ftp://example.org/' } }, 'callback.url: expected an http(s) address'],
      [{ message: 'q', callback: { url: 'http://me:pw@example.org/' } }, 'callback.url: expected no user'],
      [{ message: 'q', callback: { url: 'http://127.0.0.1:9/' } }, 'callback.url'],
      [{ message: 'q', colour: 'red' }, 'colour'],
    ];
    for (const [body, detail] of faults) {
      const { status, body: problem } = await ask(body);
      expect([status, JSON.stringify(problem)]).toEqual([400, expect.stringContaining(detail)]);
    }
    expect(starts).toEqual([]);
  });

  // Promise NX8
  test('POST /api/ask signals no workflow but with what ask.signals names, and none of Standfast’s own', async () => {
    const to = (temporal: JsonObject): JsonObject => ({ message: 'q', callback: { temporal } });
    const faults: [JsonObject, string][] = [
      [{ workflowId: 'w', signal: 'other' }, 'names no signal other of the namespace default'],
      [{ namespace: 'payments', workflowId: 'w', signal: 'answer' }, 'of the namespace payments'],
      [{ namespace: 'constructor', workflowId: 'w', signal: 'answer' }, 'of the namespace constructor'],
      [{ workflowId: 'a2a/ask/x', signal: 'answer' }, 'a workflow of Standfast'],
    ];
    for (const [temporal, detail] of faults) {
      const { status, body } = await ask(to(temporal));
      expect([status, JSON.stringify(body)]).toEqual([403, expect.stringContaining(detail)]);
    }
    expect(starts).toEqual([]);
    const id = freshThread();
    await ask({ id, ...to({ workflowId: 'w', signal: 'answer' }) });
    const temporal = { namespace: 'default', workflowId: 'w', signal: 'answer' };
    expect(callbackOf((await holdOf(id)).question)).toEqual({ temporal, id });
  });

  test('POST /api/ask keeps where its end is to be reported, with the program’s own id', async () => {
    const id = freshThread();
    await ask({ id, message: 'q', callback: { url: 'https://example.org/hook' } });
    expect(callbackOf((await holdOf(id)).question)).toEqual({ url: 'https://example.org/hook', id });
  });
});

describe('DELETE /api/ask', () => {
  const withdraw = (id: string, who: Who = 'anna'): Promise<Answer> =>
    send('DELETE', `/api/ask?id=${encodeURIComponent(id)}`, who);

  test('DELETE /api/ask withdraws an open question of the caller, and no other', async () => {
    const id = freshThread();
    await ask({ id, message: 'q' });
    withdrawWhatIsAsked(rig);
    expect((await withdraw(id, 'ben')).status).toBe(404);
    expect(await withdraw(id)).toMatchObject({ status: 200, body: { id, status: 'cancelled' } });
  });

  test('DELETE /api/ask is not_found for what was never asked', async () => {
    expect(await withdraw('never')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});
