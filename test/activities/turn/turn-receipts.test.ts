// What an agent gets with an approval: its receipt, and where it waits for a credential the receipt as that.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { verifyReceipt } from '../../../packages/client/verify/receipt.js';
import { messageToSend } from '../../../src/activities/turn/turn-message.ts';
import type { Question } from '../../../src/contract/holds/question.ts';
import { optionsOfBody } from '../../../src/wire/agui/input/run-options.ts';
import type { Store } from '../../../src/store/store.ts';
import { authDialect } from '../../../src/wire/a2a/dialects/auth/auth.ts';
import { aPrincipal } from '../../rigs/factories.ts';
import { aDigestedRow, aProvedDecision } from '../../rigs/proofs.ts';
import { createScriptedAgent } from '../../rigs/agents/scripted-agent.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import { aHold, decidedBy } from '../../store/stores.ts';
import { aTurn } from '../turns.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

async function answerTo(
  question: Question | undefined,
  values: Record<string, string>,
  withReceipt = true,
  isTakenBack = false,
) {
  const { deps, input } = await aTurn(store, createScriptedAgent('task-1'));
  const asked = aHold({ taskId: input.task.taskId, agent: 'fake', ...(question === undefined ? {} : { question }) });
  const plan = withReceipt ? { ...asked.plan, receipt: { forMs: 600_000, version: 'sha256:v' } } : asked.plan;
  const row = aDigestedRow({ ...asked, plan, audience: ['role:finance'] });
  const { holdId } = row;
  const at = new Date().toISOString();
  const decision = aProvedDecision(row, { by: aPrincipal('fin', 'finance'), at, entry: { values } });
  await store.holds.putOnce([{ ...row, takenBack: isTakenBack ? [decision.proof?.mac ?? ''] : [] }]);
  const closed = { ...decidedBy('fin', at), holdId, decision };
  await store.holds.close(holdId, closed);
  const answers = [{ interruptId: row.interruptId, closed }];
  const message = await messageToSend(
    deps,
    { ...input, send: { kind: 'answers', answers } },
    { messageId: 'm1', a2aTaskId: 'task-1', adopted: null, options: optionsOfBody(null) },
  );
  const { signer } = deps;
  const jwks = { keys: signer === null ? [] : [signer.jwk] };
  return { message, expected: { jwks, agent: 'a2a:fake', task: 'task-1', role: 'role:finance', once: () => true } };
}

// Promise RC3
test('an answer under a policy with receipts brings its receipt in the metadata, and one without brings none', async () => {
  const schema = {
    type: 'object',
    properties: { decision: { enum: ['approve', 'reject'] }, centre: { type: 'string' } },
  };
  const question = { ...aHold().question, schema };
  const yes = { decision: 'approve', centre: '42' };
  const { message, expected } = await answerTo(question, yes);
  const [receipt] = message.metadata['urn:standfast:receipts:v1'] as string[];
  const claims = await verifyReceipt(receipt ?? '', { ...expected, answer: yes });
  expect(claims).toMatchObject({ tool: null, by: [{ id: 'fin' }], iss: 'http://127.0.0.1:8600' });
  const without = [
    await answerTo(question, yes, false),
    // What is neither a yes nor a no is no approval.
    await answerTo(undefined, { centre: '42' }),
    await answerTo(question, { decision: 'reject' }),
  ];
  for (const one of without) expect(one.message.metadata).not.toHaveProperty(['urn:standfast:receipts:v1']);
});

// Promise Y78
test('an answer that was taken back before its task was put back to an earlier state is not sent', async () => {
  const sent = answerTo(undefined, { centre: '42' }, false, true);
  await expect(sent).rejects.toThrow('fin has taken back what answers hold');
});

// Promise RC4
test('an agent that asks for a signed token by AUTH_REQUIRED gets the receipt as its credential', async () => {
  const text = 'requires manager approval. Please provide a signed authorization token';
  const message = { messageId: 'p', role: 'agent' as const, metadata: {}, extensions: [] };
  const asked = { ...message, parts: [{ kind: 'text' as const, text, metadata: {} }] };
  const detected = authDialect.detect({ state: 'auth-required', message: asked, a2aTaskId: 'task-1' });
  const [question] = detected.result === 'ok' ? detected.questions : [];
  const sent = await answerTo(question, { outcome: 'approve' });
  const [data] = sent.message.parts.flatMap((part) => (part.kind === 'data' ? [part.data] : []));
  const { values } = data as { values: { credential: string } };
  await verifyReceipt(values.credential, { ...sent.expected, answer: { outcome: 'approve' } });
  const denied = await answerTo(question, { outcome: 'deny' });
  expect(denied.message.parts).toMatchObject([{ kind: 'text', text: 'deny' }]);
});
