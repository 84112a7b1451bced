// Numbers of an agent's answers that a double does not hold: kept by their digits before the SDK's client reads them.
import { afterEach, describe, expect, test } from '@jest/globals';
import type { TurnEvent } from '../../../src/contract/tasks/turn.ts';
import {
  type AgentOptions,
  aCall,
  cardOf,
  collect,
  httpWires,
  listen,
  say,
  stopServers,
  transportTo,
} from '../a2a-agents.ts';

afterEach(stopServers);

const account = '9007199254740993';

/** An agent whose every answer has the number in its data, as another language writes it. */
async function startExact(options: AgentOptions, indent = 0): Promise<string> {
  const isOld = options.version === '0.3';
  const isRpc = options.binding === 'JSONRPC';
  const data = { account: '@', share: 0.5 };
  const part = isOld ? (isRpc ? { kind: 'data', data } : { data: { data } }) : { data };
  const role = isOld && isRpc ? 'agent' : 'ROLE_AGENT';
  const message = { messageId: 'q', role, ...(isOld && !isRpc ? { content: [part] } : { parts: [part] }) };
  const state = isOld && isRpc ? 'input-required' : 'TASK_STATE_INPUT_REQUIRED';
  const task = { id: 't', contextId: 'c', kind: 'task', status: { state, message } };
  const update = { taskId: 't', contextId: 'c', kind: 'status-update', status: task.status, final: true };
  const event = isOld && isRpc ? update : { statusUpdate: update };
  const exact = (value: object): string => JSON.stringify(value, null, indent).replaceAll('"@"', account);
  return listen((address) => (request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (request.url?.startsWith('/.well-known') === true) {
        response.end(JSON.stringify(cardOf(address, options)));
        return;
      }
      const id: unknown = isRpc ? (JSON.parse(body) as { id: unknown }).id : null;
      const answer = (result: object): string => exact(isRpc ? { jsonrpc: '2.0', id, result } : result);
      const isStreamed = isRpc ? /stream/iu.test(body.slice(0, 200)) : request.url?.includes('stream') === true;
      response.setHeader('content-type', isStreamed ? 'text/event-stream' : 'application/json');
      const framed = (text: string): string => `${text.replaceAll(/^/gmu, 'data: ')}\n\n`;
      response.end(isStreamed ? framed(answer(event)) : answer(task));
    });
  });
}

describe.each(httpWires)('an agent speaking A2A $version over $binding', (options) => {
  // Promise Y18
  test.each([
    ['one line', 0],
    ['many lines', 2],
  ])('a number that a double does not hold comes as its digits, streamed and read (data of %s)', async (_, indent) => {
    const transport = transportTo(await startExact(options, indent));
    const [streamed] = await collect(transport.sendStream(say('hi'), aCall()));
    const read = await transport.getTask('t', {}, aCall());
    const events: (TurnEvent | undefined)[] = [streamed, read];
    for (const event of events)
      expect(event).toMatchObject({
        message: { parts: [{ kind: 'data', data: { account, share: 0.5 } }] },
        digits: [account],
      });
  });
});
