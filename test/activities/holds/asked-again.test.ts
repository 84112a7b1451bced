// A question that is asked again after its agent was asked something back: what it takes over from the one before.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { planPause } from '../../../src/activities/holds/open-holds.ts';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import type { Hold } from '../../../src/contract/holds/hold.ts';
import type { Question } from '../../../src/contract/holds/question.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { canonicalJson } from '../../../src/core/base/json.ts';
import { policyOfEdit } from '../../../src/core/consent/judged.ts';
import { questionOfToolCall } from '../../../src/core/questions/ask.ts';
import type { Store } from '../../../src/store/store.ts';
import { after, aQuestion, openedAt, owner, taskId } from '../../rigs/factories.ts';
import { createScriptedAgent } from '../../rigs/agents/scripted-agent.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import { depsOf } from '../turns.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

const config = ConfigSchema.parse({
  agents: {
    pay: { url: 'http://pay', policy: 'team', rules: [{ when: { data: 'amount > 10' }, policy: 'director' }] },
  },
  policies: {
    team: { audience: ['role:team'], expire: { after: '8h', then: 'default' } },
    director: { audience: ['role:director'], quorum: 2 },
  },
});
const task = { taskId, agent: 'pay', threadId: 't', workflowId: 'w', firstExecutionRunId: 'x', owner };

const aCall = (args: JsonObject, isEditable = false): Question =>
  questionOfToolCall({ name: 'pay', args, why: '', isEditable }, 'c');

const kept = ({ plan, stepsTaken, openedAt: at, expiresAt }: Hold) => ({ plan, stepsTaken, openedAt: at, expiresAt });

/** The first question of this task, or the one that asks `old` again an hour later. */
async function planned(question: Question, old: Hold | null = null): Promise<Hold> {
  const deps = depsOf(store, () => createScriptedAgent('asked-again').transport, { config });
  const n = old?.n ?? 0;
  const isSame = old !== null && canonicalJson(old.question) === canonicalJson(question);
  const again = old && { holdId: old.holdId, inherits: { ...kept(old), audience: ['user:anna'], isSame } };
  const pause: Parameters<typeof planPause>[1] = {
    task,
    run: { runId: 'r', opener: 'standfast', turn: 2 },
    a2aTaskId: 'a2a-1',
    contextId: 'c-1',
    pauseMessageId: null,
    explanation: '',
    questions: [question],
    n,
    openedAt: old === null ? openedAt : after('1h'),
    publicUrl: 'http://127.0.0.1:8600',
    again: [again],
    closed: [],
  };
  const [hold] = await planPause(deps, pause, []);
  if (hold === undefined) throw new Error('nothing was planned');
  return hold;
}

describe('a question that is asked again', () => {
  test('a question that is asked again keeps the people and the times of the one before, under the same policy', async () => {
    const old = await planned(aCall({ amount: 5 }));
    const again = await planned(aCall({ amount: 7 }), old);
    expect(again).toMatchObject({
      supersedes: old.holdId,
      audience: ['user:anna'],
      openedAt,
      plan: { policy: 'team' },
    });
  });

  // Promise Y33a
  test('a question that is asked again under another policy has its own people and times', async () => {
    const old = await planned(aCall({ amount: 5 }));
    const again = await planned(aCall({ amount: 900_000 }), old);
    expect(again).toMatchObject({
      supersedes: old.holdId,
      audience: ['role:director'],
      openedAt: after('1h'),
      plan: { policy: 'director', quorum: 2 },
    });
  });

  // Promise Y33a
  test('a question that is asked again with a call that is editable now is judged once it is edited', async () => {
    const old = await planned(aCall({ amount: 5 }));
    const again = await planned(aCall({ amount: 5 }, true), old);
    expect(again.plan.policy).toBe('team');
    const values = { approved: true, editedArgs: { amount: 900_000 } };
    expect(policyOfEdit(again, { status: 'resolved', values })).toBe('director');
  });

  // Promise Y48
  test('a question that is asked again is not answered by silence, unless it is the very same', async () => {
    const old = await planned(aQuestion());
    expect(old.plan).toMatchObject({ then: 'default', defaults: { city: 'Bonn' } });
    expect((await planned(aQuestion(), old)).plan.defaults).toEqual({ city: 'Bonn' });
    for (const change of [{ defaults: { city: 'Rome' } }, { message: 'And with whom?' }])
      expect((await planned(aQuestion(change), old)).plan.defaults).toBeNull();
  });
});
