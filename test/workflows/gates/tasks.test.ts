// A held call as a task, for MCP clients of 2026-07-28 that follow tasks: created, polled, cancelled, and its caller's alone.
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../src/contract/base/json.ts';
import { objectOf, parseJson } from '../../../src/core/base/json.ts';
import { apiOf } from '../../rigs/engine/engine-api.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { startGateRig, type GateRig, type Who } from '../../rigs/gates/gate-rig.ts';
import { connectByLines } from '../../rigs/gates/line-client.ts';
import { waitFor } from '../../rigs/wait-for.ts';

const supervisor = createSupervisor();
const extension = 'io.modelcontextprotocol/tasks';
const revision = '2026-07-28';
const packages = process.env['STANDFAST_TEST_MCP_NODE'];
let rig: GateRig;
beforeAll(async () => {
  const elsewhere = { url: 'http://127.0.0.1:9/mcp', policy: 'pay' };
  rig = await startGateRig(supervisor, { gates: { elsewhere } });
});
afterEach(() => {
  rig.toy.calls.splice(0);
});
afterAll(() => (rig === undefined ? supervisor.end() : rig.stop()));

interface Asking {
  who?: Who;
  gate?: string;
  /** Of another api process. */
  url?: string;
  /** What the client says of itself. */
  capabilities?: JsonObject;
}

/** One request of a client of the newest revision; its answer, however it comes. */
async function ask(method: string, params: JsonObject, asking: Asking = {}): Promise<JsonObject> {
  const { who, gate, url, capabilities = { extensions: { [extension]: {} } } } = asking;
  const named = params['name'] ?? params['taskId'];
  const _meta = {
    ...objectOf(params['_meta']),
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'an agent', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } };
  const headers = {
    'mcp-protocol-version': revision,
    'mcp-method': method,
    ...(typeof named === 'string' && { 'mcp-name': named }),
  };
  const response = await rig.post(body, who, gate, headers, url);
  const text = await response.text();
  const lines = text.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []));
  return objectOf(parseJson(lines.at(-1) ?? text));
}

const resultOf = (answer: JsonObject): JsonObject => {
  expect(answer).not.toHaveProperty('error');
  return objectOf(answer['result']);
};
const codeOf = (answer: JsonObject): Json => objectOf(answer['error'])['code'] ?? null;
const call = async (args: JsonObject, asking?: Asking): Promise<JsonObject> =>
  resultOf(await ask('tools/call', { name: 'pay', arguments: args }, asking));
const get = async (taskId: string, asking?: Asking): Promise<JsonObject> =>
  resultOf(await ask('tasks/get', { taskId }, asking));
const ended = (taskId: string, asking?: Asking): Promise<JsonObject> =>
  waitFor(
    async () => {
      const task = await get(taskId, asking);
      return task['status'] === 'working' ? undefined : task;
    },
    20_000,
    'the end of the task',
  );
async function taskOf(args: JsonObject): Promise<string> {
  const { taskId } = await call(args);
  return String(taskId);
}

// Promise GA12
test('a client that follows tasks gets a held call as one, with its page, and the result once people approved it', async () => {
  const discovered = resultOf(await ask('server/discover', {}));
  expect(objectOf(discovered['capabilities'])).toMatchObject({ tools: {}, extensions: { [extension]: {} } });
  const created = await call({ amount: 400 });
  const hold = await rig.asked();
  expect(created).toMatchObject({
    resultType: 'task',
    status: 'working',
    statusMessage: expect.stringContaining(`/holds/${hold.holdId}`),
    ttlMs: null,
  });
  const taskId = String(created['taskId']);
  // The same call while it waits is the same task.
  expect(await call({ amount: 400 })).toMatchObject({ resultType: 'task', taskId });
  expect(await get(taskId)).toMatchObject({ resultType: 'complete', taskId, status: 'working' });
  expect(rig.toy.calls).toEqual([]);
  expect(await rig.decide(hold, { approved: true })).toBe(200);
  const task = await ended(taskId);
  expect(task).toMatchObject({
    status: 'completed',
    result: { content: [{ type: 'text', text: 'pay is done' }], _meta: { 'io.standfast/call': taskId } },
  });
  expect(Date.parse(String(task['lastUpdatedAt']))).toBeGreaterThan(Date.parse(String(task['createdAt'])));
  expect(rig.toy.calls).toEqual([{ tool: 'pay', args: { amount: 400 } }]);
  // Its result was given: the same once more is another call, and the task is what it was.
  const again = await taskOf({ amount: 400 });
  expect(again).not.toBe(taskId);
  expect(await get(taskId)).toMatchObject({ status: 'completed' });
  await rig.decide(await rig.asked(), { approved: false });
  expect(await ended(again)).toMatchObject({ status: 'completed', result: { isError: true } });
});

// Promise GA12
test('a task of a held call says who did not approve it, and why', async () => {
  const taskId = await taskOf({ amount: 401 });
  await rig.decide(await rig.asked(), { approved: false, reason: 'too dear' });
  const [shown] = objectOf((await ended(taskId))['result'])['content'] as JsonObject[];
  expect(shown).toEqual({ type: 'text', text: 'The call was not made: fin did not approve it: too dear.' });
  expect(rig.toy.calls).toEqual([]);
});

// Promise GA12
test('a client that cancels the task of a held call withdraws its question, and the call is not made', async () => {
  const taskId = await taskOf({ amount: 402 });
  const { holdId } = await rig.asked();
  expect(resultOf(await ask('tasks/cancel', { taskId }))).toMatchObject({ resultType: 'complete' });
  expect(await ended(taskId)).toMatchObject({ status: 'cancelled' });
  expect((await rig.core.engine.store.holds.get(holdId))?.status).not.toBe('open');
  expect(rig.toy.calls).toEqual([]);
});

// Promise GA12
test('a task of a held call that was made cannot be cancelled any more, and keeps its result', async () => {
  const taskId = await taskOf({ amount: 403 });
  await rig.decide(await rig.asked(), { approved: true });
  expect(await ended(taskId)).toMatchObject({ status: 'completed' });
  expect(resultOf(await ask('tasks/cancel', { taskId }))).toMatchObject({ resultType: 'complete' });
  expect(await get(taskId)).toMatchObject({ status: 'completed', result: { content: [{ text: 'pay is done' }] } });
});

// Promise GA12
test('a held call that people approved goes on though its caller withdraws it while it is made', async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  rig.toy.onCall = () => released;
  try {
    const taskId = await taskOf({ amount: 420 });
    expect(await rig.decide(await rig.asked(), { approved: true })).toBe(200);
    await waitFor(() => rig.toy.calls.length > 0, 20_000, 'the call to be under way');
    const headers = { authorization: `Bearer ${rig.keys.bot}` };
    const query = new URLSearchParams({ id: taskId });
    expect((await fetch(`${rig.url}/api/ask?${query.toString()}`, { method: 'DELETE', headers })).ok).toBe(true);
    release();
    expect(await ended(taskId)).toMatchObject({ status: 'completed', result: { content: [{ text: 'pay is done' }] } });
  } finally {
    release();
    rig.toy.onCall = null;
  }
});

// Promise GA12
test('a task of a held call is its caller’s alone, at its gate, by clients that follow tasks', async () => {
  const taskId = await taskOf({ amount: 404 });
  const { holdId } = await rig.asked();
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    const params = { taskId, ...(method === 'tasks/update' && { inputResponses: {} }) };
    expect(codeOf(await ask(method, params, { who: 'eve' }))).toBe(-32602);
    expect(codeOf(await ask(method, params, { gate: 'elsewhere' }))).toBe(-32602);
    expect(codeOf(await ask(method, params, { capabilities: {} }))).toBe(-32021);
  }
  expect((await rig.core.engine.store.holds.get(holdId))?.status).toBe('open');
  expect(resultOf(await ask('tasks/update', { taskId, inputResponses: { a: { action: 'accept' } } }))).toMatchObject({
    resultType: 'complete',
  });
  expect(await get(taskId)).toMatchObject({ status: 'working' });
  // A task of another id is the server’s: this one has none.
  expect(codeOf(await ask('tasks/get', { taskId: 'of-the-server' }))).toBe(-32601);
  await ask('tasks/cancel', { taskId });
});

// Promise GA12
test('a task of a held call that its client named gives the same result by task and by name, at any api process', async () => {
  const params = { name: 'pay', arguments: { amount: 405 }, _meta: { 'io.standfast/call': 'invoice-405' } };
  const created = resultOf(await ask('tools/call', params));
  const taskId = String(created['taskId']);
  await rig.decide(await rig.asked(), { approved: true });
  const other = apiOf(rig.core.engine);
  const url = await other.listen({ host: '127.0.0.1', port: 0 });
  try {
    expect(await ended(taskId, { url })).toMatchObject({ status: 'completed' });
  } finally {
    await other.close();
  }
  const named = resultOf(await ask('tools/call', params));
  expect(named).toMatchObject({ resultType: 'complete', content: [{ text: 'pay is done' }] });
  expect(await get(taskId)).toMatchObject({ status: 'completed', result: { content: [{ text: 'pay is done' }] } });
  expect(rig.toy.calls).toHaveLength(1);
});

// Promise GA12
(packages === undefined ? test.skip : test)(
  'a client on the protocol’s own package for tasks waits for people with a held call, and calls what passes',
  async () => {
    const program = fileURLToPath(new URL('../../rigs/gates/tasks-client.js', import.meta.url));
    const command = [process.execPath, program, packages ?? ''];
    const client = await connectByLines(command, `${rig.url}/gates/toy/mcp`, rig.keys.bot);
    supervisor.defer(async () => client.close());
    expect(await client.call('read_note', {})).toMatchObject({ text: 'read_note is done', isError: false });
    const waiting = client.call('pay', { amount: 406 });
    await rig.decide(await rig.asked(), { approved: true });
    expect(await waiting).toMatchObject({ text: 'pay is done', isError: false });
    const refused = client.call('pay', { amount: 407 });
    await rig.decide(await rig.asked(), { approved: false });
    expect(await refused).toMatchObject({ text: 'The call was not made: fin did not approve it.', isError: true });
  },
);
