// Callers over A2A on the official JavaScript SDK, with real agents behind Holdpoint: what such a caller sees, in both versions
// of A2A and over both bindings.
import { type Part, TaskState, taskStateToJSON } from '@a2a-js/sdk';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type A2aCaller, type AgentTurn, createA2aCaller } from '../rigs/a2a-caller.ts';
import { startUp } from '../rigs/holdpoint.ts';
import type { Up } from '../rigs/holdpoint.ts';
import { type JsAgent, startJsAgent } from '../rigs/js-agent.ts';
import { createSupervisor } from '../rigs/supervisor.ts';
import { buildOnce } from './setting.ts';

jest.setTimeout(120_000);
const supervisor = createSupervisor();
let up: Up;
const agents = new Map<string, JsAgent>();

const caller = (agent: string, binding?: 'JSONRPC' | 'HTTP+JSON'): Promise<A2aCaller> =>
  createA2aCaller(`${up.url}/a2a/${agent}/`, binding);

const textOf = ({ content }: Part): string => (content?.$case === 'text' ? content.value : (content?.$case ?? ''));
const stateName = (state: TaskState | undefined): string =>
  taskStateToJSON(state ?? TaskState.UNRECOGNIZED).replace('TASK_STATE_', '');

/** What a stream told, an event a line. */
function linesOf({ events }: AgentTurn): string[] {
  return events.map(({ payload }) => {
    switch (payload?.$case) {
      case 'task':
      case 'statusUpdate': {
        const { status } = payload.value;
        return `${stateName(status?.state)} ${(status?.message?.parts ?? []).map(textOf).join(' ')}`.trim();
      }
      case 'artifactUpdate':
        return `artifact ${(payload.value.artifact?.parts ?? []).map(textOf).join(' ')}`;
      case 'message':
        return `message ${payload.value.parts.map(textOf).join(' ')}`;
      default:
        return 'nothing';
    }
  });
}

beforeAll(async () => {
  buildOnce();
  for (const kind of ['hello'] as const) agents.set(kind, await startJsAgent(supervisor, kind));
  const lines = [...agents].map(([name, { url }]) => `  ${name}: { url: '${url}', policy: people }`);
  up = await startUp(supervisor, {
    dataDir: await supervisor.tempDir('up'),
    configText: `agents:\n${lines.join('\n')}\npolicies:\n  people: { audience: ['role:finance'] }\n`,
  });
}, 120_000);
afterAll(async () => {
  await supervisor.end();
});

describe.each(['JSONRPC', 'HTTP+JSON'] as const)('a caller on the JavaScript SDK over %s', (binding) => {
  test('is told by a stream what the agent says, and finds the same task later', async () => {
    const client = await caller('hello', binding);
    expect(client.client.protocolVersion).toBe('1.0');
    const turn = await client.send('hi there');
    expect(turn.error).toBeNull();
    expect(linesOf(turn)).toEqual([
      'SUBMITTED',
      'WORKING I read your message.',
      'artifact Hello, you said: hi there',
      'COMPLETED',
    ]);
    const task = await client.getTask(turn.taskId);
    expect(stateName(task.status?.state)).toBe('COMPLETED');
    expect(task.history.map(({ parts }) => parts.map(textOf).join(' '))).toEqual(['hi there', 'I read your message.']);
    expect(task.artifacts.map(({ parts }) => parts.map(textOf))).toEqual([['Hello, you said: hi there']]);
  });
});
