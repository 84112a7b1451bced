// A turn keeps whole what its agent asks, and answers by the whole.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { NeutralPart, TurnEvent } from '../../../src/contract/tasks/turn.ts';
import { canonicalJson } from '../../../src/core/base/json.ts';
import { sha256OfText } from '../../../src/host/secrets/hash.ts';
import { wholeQuestion } from '../../../src/store/log/whole-question.ts';
import type { HoldRow, Store } from '../../../src/store/store.ts';
import { createScriptedAgent } from '../../rigs/agents/scripted-agent.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import { aTurn } from '../turns.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

const account = '9007199254740993';
const args = { sql: `SELECT 1;\n${'-- padding\n'.repeat(60_000)}DELETE FROM orders;`, account };
const call = { id: 'c-1', name: 'run_sql', args: {}, toolConfirmation: {} };

/** The hold of an ADK agent that asks for confirmation of this call. */
async function asked(id: string, files: NeutralPart[] = []): Promise<{ row: HoldRow; result: unknown }> {
  const agent = createScriptedAgent(id);
  const turn = await aTurn(store, agent);
  const metadata = { adk_type: 'function_call', adk_is_long_running: true };
  const data = {
    id: 'confirm-1',
    name: 'adk_request_confirmation',
    args: { originalFunctionCall: { ...call, args }, toolConfirmation: {} },
  };
  const pause: TurnEvent = {
    type: 'status',
    a2aTaskId: id,
    contextId: 'context-1',
    state: 'input-required',
    message: {
      messageId: 'm-1',
      role: 'agent',
      parts: [{ kind: 'data', data, metadata, isOfDialect: true }, ...files],
      metadata: {},
      extensions: [],
    },
    digits: [account],
  };
  const transport: typeof agent.transport = {
    ...agent.transport,
    async *sendStream() {
      yield pause;
    },
  };
  turn.deps.transportOf = () => transport;
  const result = await turn.attempt(1).outcome;
  const [row] = await store.holds.ofTask(turn.input.task.taskId);
  if (row === undefined) throw new Error('nothing was asked');
  return { row, result };
}

describe('a turn whose agent asks about a very long call', () => {
  // Promise Y11
  // Promise Y18
  test('a turn whose agent asks about a very long call keeps it whole, marks its number, and passes little on', async () => {
    const { row, result } = await asked('long-1');
    expect(row.question.tool?.args['sql']).toMatch(/^SELECT 1;[^]*… \d[\d,]* characters[^]*DELETE FROM orders;$/u);
    expect(row.question.whole).toMatchObject([{ at: '/tool/args', digest: sha256OfText(canonicalJson(args)) }]);
    expect(row.question.digits).toEqual(['/tool/args/account']);
    expect(row.question.message).toContain('more digits than a program keeps');
    expect((await wholeQuestion(store, row))?.tool?.args).toEqual(args);
    expect(JSON.stringify(result).length).toBeLessThan(200 * 1024);
    expect(result).not.toHaveProperty('digits');
    // The row is the question that was asked.
    expect(row.fault).toBeUndefined();
  });
});

describe('a turn whose agent asks with a file that is not kept', () => {
  // Promise Y15d
  test('a turn whose agent asks with a file that is not kept asks what no answer approves, by whatever way it comes', async () => {
    const file = { kind: 'file' as const, mediaType: 'text/plain', uri: null, metadata: {} };
    const files = (most: number): NeutralPart[] =>
      Array.from({ length: most }, (_, n) => ({ ...file, name: `f-${n}`, base64: btoa(`${n}`) }));
    const { row } = await asked('lost-1', files(60));
    expect(row.question.message).toContain('so it is not whole here: "11 more files"');
    expect(row.question.schema).toMatchObject({ properties: { approved: { const: false } } });
    const { row: whole } = await asked('kept-1', files(50));
    expect(whole.question.message).not.toContain('not whole');
    expect(whole.question.schema).not.toMatchObject({ properties: { approved: { const: false } } });
  });
});
