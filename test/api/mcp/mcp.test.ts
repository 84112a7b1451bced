// The MCP server as an agent's own MCP client meets it, on a real socket; a stand-in opens what a worker would open.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { submitRun } from '../../../src/api/runs/submit-run.ts';
import { askThreadId } from '../../../src/api/ask/ask-runs.ts';
import { askRunId } from '../../../src/core/questions/ask-answer.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { TaskStart } from '../../../src/contract/tasks/run.ts';
import { askAgent } from '../../../src/core/base/ids.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { closeSent, prover } from '../../rigs/proofs.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { aDecision, anEnd, bearer, fakeTasks, freshThread, keyConfig, type keys, openWhatIsAsked } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const rig = describeApi({
  withKeys: true,
  config: {
    auth: { keys: keyConfig },
    policies: { finance: { audience: ['role:finance'] }, alone: {} },
    ask: { policy: 'finance' },
  },
});
let url: string;
let starts: TaskStart[];
const clients: Client[] = [];
beforeAll(async () => {
  url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
});
beforeEach(() => {
  starts = openWhatIsAsked(rig);
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

async function connect(who: keyof typeof keys = 'anna'): Promise<Client> {
  const client = new Client({ name: 'an agent', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: bearer(who) } });
  // The SDK's own classes disagree about optional callbacks under exactOptionalPropertyTypes.
  await client.connect(transport);
  clients.push(client);
  return client;
}

async function call(client: Client, name: string, args: JsonObject): Promise<JsonObject> {
  const result = await client.callTool({ name, arguments: { waitSeconds: 0, ...args } });
  const { isError, structuredContent, content } = result as { isError?: boolean } & Record<string, unknown>;
  const text = (content as { text?: string }[])[0]?.text ?? '';
  if (structuredContent === undefined) return { isError: isError === true, text };
  expect(JSON.parse(text)).toEqual(structuredContent);
  return { ...(structuredContent as JsonObject), ...(isError === true ? { isError } : {}) };
}
const askUser = (client: Client, args: JsonObject): Promise<JsonObject> => call(client, 'ask_user', args);
const approve = (client: Client, args: JsonObject): Promise<JsonObject> => call(client, 'approve_tool_call', args);

const threadOf = (id: string): string => askThreadId({ id: 'anna' }, id);
async function holdOf(id: string): Promise<HoldRow> {
  const [hold] = await rig.store.holds.ofThread(askAgent, threadOf(id));
  if (hold === undefined) throw new Error(`nothing is asked under ${id}`);
  return hold;
}
async function end(id: string, status: Parameters<typeof anEnd>[0], values: JsonObject | null): Promise<void> {
  const decision = values === null ? null : aDecision({ by: 'fin', values, status: 'resolved' });
  await closeSent(rig.store, (await holdOf(id)).holdId, anEnd(status, decision, null));
}

describe('the MCP server', () => {
  test('the MCP server offers ask_user and approve_tool_call, each with its words and its fields', async () => {
    const { tools } = await (await connect()).listTools();
    expect(tools.map(({ name }) => name)).toEqual(['ask_user', 'approve_tool_call', 'permission_prompt']);
    for (const { description, inputSchema } of tools.slice(0, 2)) {
      expect(description?.length).toBeGreaterThan(50);
      expect(Object.keys(inputSchema.properties ?? {})).toEqual(
        expect.arrayContaining(['id', 'policy', 'waitSeconds']),
      );
    }
  });

  test('the MCP server refuses a call without a key, and keeps no session to read or to end', async () => {
    const post = (headers: Record<string, string>) =>
      rig.app.inject({
        method: 'POST',
        url: '/mcp',
        headers: { 'content-type': 'application/json', ...headers },
        payload: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      });
    expect((await post({})).statusCode).toBe(401);
    expect((await post({ authorization: 'Bearer nobody-has-this-key' })).statusCode).toBe(401);
    for (const method of ['GET', 'DELETE'] as const) {
      expect((await rig.app.inject({ method, url: '/mcp', headers: bearer('anna') })).statusCode).toBe(405);
    }
  });
});

describe('ask_user', () => {
  test('ask_user waits, and gives the answer to a call with the same id', async () => {
    const client = await connect();
    const id = freshThread();
    const question = { question: 'Which colour?', id };
    const waiting = await askUser(client, question);
    const { holdId } = await holdOf(id);
    expect(waiting).toEqual({
      status: 'waiting',
      version: 1,
      id,
      holdId,
      link: `http://127.0.0.1:8600/holds/${holdId}`,
      expiresAt: null,
    });
    await end(id, 'decided', { text: 'red' });
    const answered = { status: 'answered', id, holdId, values: { text: 'red' }, by: 'fin' };
    expect(await askUser(client, question)).toMatchObject(answered);
    expect(await askUser(await connect(), { id })).toMatchObject(answered);
    expect(starts).toHaveLength(1);
    const threadId = threadOf(id);
    expect(starts[0]).toMatchObject({ agent: askAgent, threadId, owner: 'anna', opening: { runId: askRunId(id) } });
  });

  test('ask_user answers while it waits, as soon as somebody has decided', async () => {
    const client = await connect();
    const id = freshThread();
    const answer = askUser(client, { question: 'Which colour?', id, waitSeconds: 30 });
    await waitFor(
      async () => (await rig.store.holds.ofThread(askAgent, threadOf(id))).length > 0,
      5_000,
      'the question',
    );
    await end(id, 'decided', { text: 'blue' });
    expect(await answer).toMatchObject({ status: 'answered', values: { text: 'blue' } });
  });

  test('ask_user tells a client that asked for it that it is still waiting', async () => {
    const client = await connect();
    const reported: (string | undefined)[] = [];
    const args = { question: 'Which colour?', id: freshThread(), waitSeconds: 1 };
    await client.callTool({ name: 'ask_user', arguments: args }, undefined, {
      onprogress: ({ message }) => reported.push(message),
    });
    const { holdId } = await holdOf(args.id);
    const waiting = `waiting for people (id ${args.id})`;
    expect(reported).toEqual([waiting, `${waiting}: http://127.0.0.1:8600/holds/${holdId}`]);
  });

  test('ask_user shows a form for a schema, with what the agent proposes', async () => {
    const id = freshThread();
    const schema = { type: 'object', properties: { colour: { enum: ['red', 'blue'] } }, required: ['colour'] };
    await askUser(await connect(), { question: 'Which?', id, schema, defaults: { colour: 'red' }, title: 'A colour' });
    const { question } = await holdOf(id);
    expect(question).toMatchObject({ kind: 'form', title: 'A colour', schema, defaults: { colour: 'red' } });
  });

  test('ask_user says how it ended when there is no answer: declined, expired, withdrawn', async () => {
    const client = await connect();
    const ends = [
      ['declined', 'cancelled', aDecision({ status: 'cancelled', reason: 'no time' })],
      ['expired', 'expired', null],
      ['withdrawn', 'withdrawn', null],
    ] as const;
    for (const [word, status, decision] of ends) {
      const id = freshThread();
      await askUser(client, { question: 'Which colour?', id });
      await closeSent(rig.store, (await holdOf(id)).holdId, anEnd(status, decision, null));
      const answer = await askUser(client, { id });
      expect(answer).toMatchObject({ status: word, id });
      if (word === 'declined') expect(answer).toMatchObject({ reason: 'no time', by: 'fin' });
    }
  });

  test('ask_user names a question of its own where the agent gives no id', async () => {
    const client = await connect();
    const { id, status } = await askUser(client, { question: 'Which colour?' });
    expect(status).toBe('waiting');
    expect(await askUser(client, { id: String(id) })).toMatchObject({ status: 'waiting', id });
  });

  // Promise Q31
  test('ask_user refuses another question under an id that is used with run_conflict', async () => {
    const client = await connect();
    const id = freshThread();
    await askUser(client, { question: 'Which colour?', id });
    const other = await askUser(client, { question: 'Which size?', id });
    expect(other).toMatchObject({ isError: true, status: 'refused', code: 'run_conflict' });
    expect(other['detail']).toContain('give the id alone');
    expect(await approve(client, { name: 'paint', id })).toMatchObject({ isError: true, code: 'run_conflict' });
    expect(starts).toHaveLength(1);
  });

  // Promise Q31
  test('ask_user keeps the ids of each caller apart: the same id of another is another question', async () => {
    const id = freshThread();
    await askUser(await connect('anna'), { question: 'Which colour?', id });
    await end(id, 'decided', { text: 'red' });
    const ben = await connect('ben');
    expect(await askUser(ben, { id })).toMatchObject({ isError: true, code: 'not_found' });
    expect(await askUser(ben, { id, question: 'Which size?' })).toMatchObject({ status: 'waiting', id });
    expect(await askUser(await connect('anna'), { id })).toMatchObject({ status: 'answered', values: { text: 'red' } });
    expect(starts.map(({ owner }) => owner)).toEqual(['anna', 'ben']);
  });

  // Promise Q31
  test('ask_user takes a repeat without the title for the same question, and another title for another one', async () => {
    const client = await connect();
    const id = freshThread();
    await askUser(client, { question: 'Which colour?', title: 'Colour', id });
    expect(await askUser(client, { question: 'Which colour?', id })).toMatchObject({ status: 'waiting', id });
    const other = await askUser(client, { question: 'Which colour?', title: 'Paint', id });
    expect(other).toMatchObject({ isError: true, code: 'run_conflict' });
    expect((await holdOf(id)).question.title).toBe('Colour');
    expect(starts).toHaveLength(1);
  });

  test('ask_user refuses an id that nothing was asked under, instead of waiting for ever', async () => {
    const answer = await askUser(await connect(), { id: 'mistyped', waitSeconds: 30 });
    expect(answer).toMatchObject({ isError: true, code: 'not_found' });
  });

  test('ask_user refuses a schema that people could not be shown, one with a secret, and a call without a question', async () => {
    const client = await connect();
    const faults: [JsonObject, string][] = [
      [{ question: 'q', schema: { type: 'string' } }, 'type is not "object"'],
      [
        { question: 'q', schema: { type: 'object', properties: { key: { type: 'string', format: 'password' } } } },
        'a secret',
      ],
      [{}, 'question: missing'],
      [{ question: 'q', id: 'a\nb' }, 'control characters'],
      [{ question: 'q', id: 'ä'.repeat(100) }, '1 to 120 bytes'],
      [{ question: 'q', id: 'a\ud800' }, '1 to 120 bytes'],
      [{ id: 'a\0' }, 'control characters'],
      [{ question: 'a\0b' }, 'content: must be well-formed Unicode without NUL'],
      [
        { question: 'q', schema: { type: 'object' }, defaults: { city: '\ud800' } },
        'defaults.city: must be well-formed',
      ],
    ];
    for (const [args, detail] of faults) {
      expect(await askUser(client, args)).toMatchObject({
        isError: true,
        code: 'input_invalid',
        detail: expect.stringContaining(detail),
      });
    }
    for (const args of [{ question: 7 }, { question: 'q', waitSeconds: 10_000 }, { question: 'q', schema: 'x' }]) {
      const { isError, text } = await askUser(client, args);
      expect([isError, text]).toEqual([true, expect.stringContaining('Invalid arguments')]);
    }
    expect(starts).toEqual([]);
  });

  test('ask_user asks by the policy named, and refuses one that is not there, naming those that are', async () => {
    const client = await connect();
    const id = freshThread();
    await askUser(client, { question: 'q', id, policy: 'finance' });
    expect(starts[0]?.opening).toMatchObject({ questions: [{ dialect: 'ask', reply: { policy: 'finance' } }] });
    for (const policy of ['fiance', 'constructor']) {
      expect(await askUser(client, { question: 'q', policy })).toMatchObject({
        code: 'input_invalid',
        detail: `policy: there is no policy ${policy}; there are finance, alone`,
      });
    }
  });

  test('ask_user that asks its asker alone is refused, and nothing is kept', async () => {
    const id = freshThread();
    expect(await askUser(await connect(), { question: 'q', id, policy: 'alone' })).toMatchObject({
      isError: true,
      code: 'forbidden',
      detail: 'policy: with the policy alone anna alone would be asked, who asks; name one that asks others',
    });
    expect(starts).toEqual([]);
    expect(await rig.store.intake.get({ agent: askAgent, threadId: threadOf(id), runId: askRunId(id) })).toBeNull();
  });

  test('ask_user keeps the question while no worker takes it, and asks it when one does', async () => {
    const open = rig.tasks.open;
    rig.tasks.open = fakeTasks().open;
    const id = freshThread();
    const client = await connect();
    expect(await askUser(client, { question: 'q', id })).toEqual({
      status: 'waiting',
      version: 1,
      id,
      holdId: null,
      link: null,
      expiresAt: null,
    });
    rig.tasks.open = open;
    const row = await rig.store.intake.get({ agent: askAgent, threadId: threadOf(id), runId: askRunId(id) });
    if (row === null) throw new Error('the question was not kept');
    // As the sweeper does it.
    const deps = { store: rig.store, tasks: rig.tasks, publicUrl: url, config: rig.config, prover };
    expect(await submitRun(deps, row)).toEqual({ result: 'admitted' });
    expect(await askUser(client, { id })).toMatchObject({ status: 'waiting', holdId: (await holdOf(id)).holdId });
  });
});

describe('approve_tool_call', () => {
  const pay = { name: 'pay', args: { to: 'Ana', amount: 40 }, why: 'She asked.' };

  test('approve_tool_call approves with the arguments as they were shown, and with those edited where they may be', async () => {
    const client = await connect();
    const [plain, edited] = [freshThread(), freshThread()];
    await approve(client, { ...pay, id: plain });
    await end(plain, 'decided', { approved: true });
    expect(await approve(client, { ...pay, id: plain })).toMatchObject({
      status: 'answered',
      approved: true,
      args: pay.args,
    });
    await approve(client, { ...pay, id: edited, editable: true });
    expect((await holdOf(edited)).question.defaults).toEqual({ editedArgs: pay.args });
    const changed = { to: 'Ana', amount: 30 };
    await end(edited, 'decided', { approved: true, editedArgs: changed });
    expect(await approve(client, { id: edited })).toMatchObject({ approved: true, args: changed });
  });

  // Promise Q32
  test('approve_tool_call is not an approval when it was rejected, declined, too late, or is not answered yet', async () => {
    const client = await connect();
    const asked = async (): Promise<string> => {
      const id = freshThread();
      expect(await approve(client, { ...pay, id })).toMatchObject({ status: 'waiting', approved: false });
      return id;
    };
    const rejected = await asked();
    await end(rejected, 'decided', { approved: false, reason: 'too much' });
    const no = await approve(client, { id: rejected });
    expect(no).toMatchObject({ status: 'answered', approved: false, reason: 'too much' });
    expect(no).not.toHaveProperty('args');
    const expired = await asked();
    await end(expired, 'expired', null);
    expect(await approve(client, { id: expired })).toMatchObject({ status: 'expired', approved: false });
    const odd = await asked();
    await end(odd, 'decided', { approved: 'true' });
    expect(await approve(client, { id: odd })).toMatchObject({ approved: false });
    expect(await approve(client, {})).toMatchObject({ code: 'input_invalid', detail: expect.stringContaining('name') });
  });
});

describe('permission_prompt', () => {
  const prompt = async (client: Client, id: string): Promise<unknown> => {
    const input = { command: 'npm publish' };
    const args = { tool_name: 'Bash', input, tool_use_id: id };
    const { content, structuredContent } = await client.callTool({ name: 'permission_prompt', arguments: args });
    expect(structuredContent).toBeUndefined();
    return JSON.parse((content as { text: string }[])[0]?.text ?? '');
  };
  const decidedAs = async (id: string, values: JsonObject): Promise<void> => {
    await waitFor(
      async () => (await rig.store.holds.ofThread(askAgent, threadOf(`permission:${id}`))).length > 0,
      5_000,
      'the question',
    );
    await end(`permission:${id}`, 'decided', values);
  };

  test('permission_prompt lets a coding agent go on with its input, or says why not, in the shape that it reads', async () => {
    const client = await connect();
    const [yes, no] = [freshThread(), freshThread()];
    const allowed = prompt(client, yes);
    await decidedAs(yes, { approved: true });
    expect(await allowed).toEqual({ behavior: 'allow', updatedInput: { command: 'npm publish' } });
    const denied = prompt(client, no);
    await decidedAs(no, { approved: false, reason: 'not on Fridays' });
    expect(await denied).toEqual({ behavior: 'deny', message: 'fin did not approve this: not on Fridays' });
    expect((await holdOf(`permission:${yes}`)).question.tool).toMatchObject({ name: 'Bash' });
  });

  // Promise Y92b
  test('permission_prompt lets people change the call of a coding agent, and gives it the one that they approved', async () => {
    const [client, id] = [await connect(), freshThread()];
    const allowed = prompt(client, id);
    await decidedAs(id, { approved: true, editedArgs: { command: 'npm pack' } });
    expect(await allowed).toEqual({ behavior: 'allow', updatedInput: { command: 'npm pack' } });
    expect((await holdOf(`permission:${id}`)).question.tool).toMatchObject({ isEditable: true });
  });

  test('permission_prompt denies where the question may not be asked', async () => {
    const denied = await prompt(await connect('fin'), freshThread());
    expect(denied).toMatchObject({ behavior: 'deny', message: expect.stringContaining('alone would be asked') });
  });
});
