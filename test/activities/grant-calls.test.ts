import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { withGrants } from '../../src/activities/holds/grant-calls.ts';
import { recordClosed } from '../../src/activities/holds/record-decisions.ts';
import { askedAfterRevoked } from '../../src/activities/turn/turn-revoked.ts';
import type { Attachment } from '../../src/contract/holds/attachment.ts';
import { GrantsSchema, PolicySchema } from '../../src/contract/configuration/policy.ts';
import type { GrantTerms } from '../../src/contract/base/grant.ts';
import type { Hold } from '../../src/contract/holds/hold.ts';
import { givenBy, grantState, termsOfGrant, whyUnproven } from '../../src/core/consent/grants.ts';
import { grantIdOf, grantWithYes } from '../../src/core/answers/grant-with-yes.ts';
import { answeredByGrant } from '../../src/core/task/hold-open.ts';
import { closedHoldsOf } from '../../src/core/task/hold-end.ts';
import { ConfigSchema } from '../../src/contract/configuration/config.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { aHold, aPrincipal, aQuestion } from '../rigs/factories.ts';
import { sha1Hex } from '../../src/host/secrets/hash.ts';
import { createProver } from '../../src/host/secrets/proofs.ts';
import { aDigestedRow, aProvedDecision, prover } from '../rigs/proofs.ts';
import { createScriptedAgent } from '../rigs/agents/scripted-agent.ts';
import { openMemoryDatabase } from '../rigs/store/memory-store.ts';
import { aHold as aRow } from '../store/stores.ts';
import { aTurn } from './turns.ts';

let pglite: PGlite;
let store: Store;
beforeAll(async () => {
  pglite = await openMemoryDatabase();
  store = await openStore({ pglite });
});
afterAll(() => store.close());

const allowed = GrantsSchema.parse({
  within: ['amount <= 500'],
  times: 5,
  sum: { of: 'amount', most: 900 },
  recheck: '1 in 4',
});
const config = {
  ...ConfigSchema.parse({ agents: { pay: { url: 'http://127.0.0.1:1/' } } }),
  policies: { finance: PolicySchema.parse({ audience: ['role:finance'], exclude: ['requester'], grants: allowed }) },
};
const at = new Date().toISOString();
const now = (): Date => new Date();
let count = 0;

/** An open question about a call, of a task of its own. */
function asked(amount: number): Hold {
  count += 1;
  const tool = { callId: `c${count}`, name: 'refund', args: { amount, to: 'M' }, isEditable: false };
  const schema = { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] };
  const hold = aHold({ question: aQuestion({ kind: 'tool_call', schema, tool }), policy: config.policies.finance });
  return { ...hold, holdId: `call-${count}` };
}
async function granted(id: string, over: Partial<GrantTerms> = {}, by = 'fin'): Promise<void> {
  const call = { agent: 'a2a:pay', policy: 'finance', tool: 'refund', args: { amount: 1, to: 'M' } };
  const named = { id, hold: 'h-0', terms: { ...termsOfGrant(allowed, call, {}, at), ...over } };
  const given = [givenBy(prover.macOf, named, { by, as: [], at, credential: null, actor: null })];
  await store.grants.put({ ...named, given }, prover);
}
const task = (owner: string) => ({ task: { ...taskRef, owner } });
const taskRef = {
  taskId: 't-1',
  workflowId: 'w-1',
  firstExecutionRunId: 'f-1',
  agent: 'pay',
  threadId: 'th-1',
  owner: 'olga',
};
const planned = (holds: Hold[], owner = 'olga', attachments: Attachment[] = []): Promise<Hold[]> =>
  withGrants({ config, prover, store, now }, task(owner), holds, attachments);
const under = (holds: Hold[]): (string | undefined)[] => holds.map(({ plan }) => plan.grant?.id ?? plan.recheck);

// Promise Y56
test('calls within a grant carry it until its number, each n-th is asked, and a repeat counts once', async () => {
  await granted('g-1');
  const first = asked(100);
  expect((await planned([first]))[0]?.plan.grant).toMatchObject({ id: 'g-1', given: [{ by: 'fin' }] });
  expect(under(await planned([first]))).toEqual(['g-1']);
  expect(under(await planned([asked(501)]))).toEqual([undefined]);
  expect(under(await planned([asked(500)]))).toEqual(['g-1']);
  expect(under(await planned([asked(301)]))).toEqual([undefined]);
  expect(under(await planned([asked(300)]))).toEqual(['g-1']);
  expect((await store.grants.get('g-1'))?.used).toEqual({ times: 3, sum: 900, seen: 3 });
  await store.grants.end('g-1', { by: 'fin', at, why: 'revoked' });
});

// Promise Y56a
test('calls that come with a file are asked about, though they are within a grant', async () => {
  await granted('g-file');
  const none = { size: null, uri: null, digest: 'sha256:1', omitted: null };
  const file: Attachment = {
    id: 'f-1',
    source: 'artifact',
    name: 'a.pdf',
    mediaType: 'application/pdf',
    ...none,
  };
  expect(under(await planned([asked(1)], 'olga', [file]))).toEqual([undefined]);
  expect(under(await planned([asked(1)]))).toEqual(['g-file']);
  await store.grants.end('g-file', { by: 'fin', at, why: 'revoked' });
});

// Promise Y57, Y58
test('calls are asked about where a grant is not proved, is wider than its policy, or is of who asks', async () => {
  await granted('g-wide', { times: 6 });
  expect(under(await planned([asked(1)]))).toEqual([undefined]);
  await store.grants.end('g-wide', { by: 'fin', at, why: 'revoked' });
  await granted('g-own', {}, 'olga');
  expect(under(await planned([asked(1)]))).toEqual([undefined]);
  expect(under(await planned([asked(1)], 'eve'))).toEqual(['g-own']);
  await store.grants.end('g-own', { by: 'fin', at, why: 'revoked' });
});

// Promise Y56
test('calls of one pause are all within grants, or all asked about, and what was counted is taken back', async () => {
  await granted('g-2');
  expect(under(await planned([asked(1), asked(501)]))).toEqual([undefined, undefined]);
  expect((await store.grants.get('g-2'))?.used).toEqual({ times: 0, sum: 0, seen: 0 });
  expect(under(await planned([asked(1), asked(2)]))).toEqual(['g-2', 'g-2']);
  const fourth = (await planned([asked(3)]), await planned([asked(4)]));
  expect(fourth[0]?.plan).toMatchObject({ recheck: 'g-2' });
  await store.grants.end('g-2', { by: 'fin', at, why: 'revoked' });
});

// Promise Y56b
test('a call that is asked all the same is asked in another one’s place until a person has answered', async () => {
  await granted('g-owed');
  const next = async (): Promise<Hold[]> => planned([asked(1)]);
  for (let n = 0; n < 3; n += 1) expect(under(await next())).toEqual(['g-owed']);
  const deps = { config, now, prover };
  const close = async ([hold]: Hold[], end: object): Promise<void> => {
    const row = aDigestedRow({ ...aRow({ taskId: `t-${hold?.holdId}`, agent: 'pay' }), ...hold });
    await store.holds.putOnce([row]);
    const none = { status: 'cancelled', decision: null, answerFingerprint: null, supersededBy: null } as const;
    const taken = { by: 'olga', at, why: 'withdrawn' as const };
    await store.tx((tables) =>
      recordClosed(tables, deps, [{ holdId: row.holdId, ...none, votes: [], ended: taken, ...end }], null),
    );
  };
  const [first, second] = [await next(), await next()];
  expect(first[0]?.plan).toMatchObject({ recheck: 'g-owed' });
  // Again and again withdrawn, also twice by a repeat: each time another one is asked.
  for (const end of [first, first]) await close(end, {});
  const again = await next();
  expect(again[0]?.plan).toMatchObject({ recheck: 'g-owed' });
  await close(again, {});
  const third = await next();
  expect(third[0]?.plan).toMatchObject({ recheck: 'g-owed' });
  const row = aDigestedRow({ ...aRow({ taskId: `t-${third[0]?.holdId}`, agent: 'pay' }), ...third[0] });
  const decision = aProvedDecision(row, { by: aPrincipal('fin', 'finance'), at });
  await close(third, { status: 'decided', decision, ended: { by: 'fin', at, why: 'approved' } });
  expect(under(await next())).toEqual(['g-owed']);
  expect(second[0]?.plan.grant?.id).toBe('g-owed');
  await store.grants.end('g-owed', { by: 'fin', at, why: 'revoked' });
});

// Promise Y56b
test('a call that is asked all the same is asked again, and not answered, once people asked its agent something back', async () => {
  await granted('g-asked-back');
  const [hold] = [asked(1)];
  const again = { ...hold, plan: { ...hold.plan, recheck: 'g-asked-back' } };
  const [answer] = await planned([again]);
  expect(answer?.plan).toMatchObject({ recheck: 'g-asked-back' });
  expect(answer?.plan.grant).toBeUndefined();
  await store.grants.end('g-asked-back', { by: 'fin', at, why: 'revoked' });
});

// Promise Y56
test('calls at one moment never come to more than a grant allows', async () => {
  await granted('g-3', { recheck: 4, times: 2 });
  const all = await Promise.all(Array.from({ length: 6 }, async () => planned([asked(1)])));
  expect(all.flat().filter(({ plan }) => plan.grant !== undefined)).toHaveLength(2);
  await store.grants.end('g-3', { by: 'fin', at, why: 'revoked' });
});

// Promise Y59
test('a turn whose grant was ended before its answer was sent asks again, and sends nothing', async () => {
  await granted('g-4');
  const [hold] = await planned([asked(1)]);
  const { deps, input } = await aTurn(store, createScriptedAgent('task-1'));
  const row = aDigestedRow({ ...aRow({ taskId: input.task.taskId, agent: 'fake' }), ...hold });
  await store.holds.putOnce([row]);
  const closed = closedHoldsOf([answeredByGrant(row, at)])[0];
  if (closed === undefined) throw new Error('the grant did not answer');
  const send = { kind: 'answers' as const, answers: [{ interruptId: row.interruptId, closed }] };
  const turn = { ...input, send, contextId: 'c-1', isDelivered: false };
  expect(await askedAfterRevoked(deps, turn, null)).toBeNull();
  await store.grants.end('g-4', { by: 'lena', at, why: 'revoked' });
  expect(await askedAfterRevoked(deps, turn, null)).toMatchObject({
    kind: 'paused',
    questions: [{ kind: 'tool_call' }],
  });
  expect(await askedAfterRevoked(deps, { ...turn, isDelivered: true }, null)).toBeNull();
});

const until = { by: 'fin', at, why: 'revoked' as const };

describe('a grant in whose rows a writer of the database wrote', () => {
  // Promise Y58a
  test('a grant that was ended answers nothing, though a writer of the database takes the end away', async () => {
    await granted('g-ended');
    const [hold] = await planned([asked(1)]);
    await store.grants.end('g-ended', until);
    await pglite.query(`update grants set ended = null where id = 'g-ended'`);
    expect(under(await planned([asked(1)]))).toEqual([undefined]);
    expect(hold?.plan.grant?.id).toBe('g-ended');
    await store.grants.end('g-ended', until);
  });

  // Promise Y58a
  test('a grant that was used up answers nothing, whatever rows of its calls a writer of the database deletes', async () => {
    await granted('g-used', { times: 1 });
    expect(under(await planned([asked(1)]))).toEqual(['g-used']);
    await pglite.query(`delete from grant_uses where grant_id = 'g-used'`);
    expect(under(await planned([asked(1)]))).toEqual([undefined]);
    await store.grants.end('g-used', until);
  });

  // Promise Y58a
  test('a grant answers no call that is not within it, though a writer of the database counts it as one before', async () => {
    await granted('g-moved');
    expect(under(await planned([asked(1)]))).toEqual(['g-moved']);
    const wide = asked(501);
    await pglite.query(`update grant_uses set hold_id = $1 where grant_id = 'g-moved'`, [wide.holdId]);
    expect(under(await planned([wide]))).toEqual([undefined]);
    await store.grants.end('g-moved', until);
  });

  // Promise Y58a
  test.each([
    ['its counts', `update grants set used = '{"times":0,"sum":0,"seen":0}' where id = $1`],
    ['what proves them', `update grants set used_mac = null where id = $1`],
    [
      'both, as another grant has them',
      `update grants set (used, used_mac) = (select used, used_mac from grants where id = 'g-other') where id = $1`,
    ],
  ])('a grant answers nothing more where a writer of the database writes %s', async (what, written) => {
    const id = `g ${what}`;
    await granted('g-other', { tool: 'transfer' });
    await granted(id, { times: 2 });
    expect(under(await planned([asked(1)]))).toEqual([id]);
    await pglite.query(written, [id]);
    expect(under(await planned([asked(1)]))).toEqual([undefined]);
    const grant = await store.grants.get(id);
    expect(grant === null ? null : grantState(prover, grant, at)).toBe('ended');
    await store.grants.end(id, until);
  });

  // Promise Y58b
  test('a grant that answered more than it allows, since its row was put back, is named by who verifies', async () => {
    await granted('g-back', { times: 1 });
    const first = await pglite.query<{ used: string; used_mac: string }>(
      `select used, used_mac from grants where id = 'g-back'`,
    );
    const before = first.rows[0];
    const answered: string[] = [];
    for (const amount of [1, 2]) {
      const [hold] = await planned([asked(amount)]);
      if (hold?.plan.grant === undefined) throw new Error('the grant did not answer');
      const row = aDigestedRow({ ...aRow({ agent: 'pay' }), ...hold });
      await store.holds.putOnce([row]);
      const [end] = closedHoldsOf([answeredByGrant(row, at)]);
      if (end === undefined) throw new Error('the grant did not answer');
      await store.holds.close(row.holdId, end);
      answered.push(row.holdId);
      const named = (await store.evidence.verify({})).faults.filter(({ what }) => what.includes('g-back'));
      expect(named).toHaveLength(amount === 1 ? 0 : 1);
      await pglite.query(`update grants set used = $1, used_mac = $2 where id = 'g-back'`, [
        before?.used,
        before?.used_mac,
      ]);
    }
    expect(answered).toHaveLength(2);
    await store.grants.end('g-back', until);
  });
});

const fin = aPrincipal('fin', 'finance');

interface Ended {
  by?: typeof prover;
  values?: { approved: boolean };
  /** When the answer was given that has the grant; missing: it is the one that ended the question. */
  earlier?: string;
}

/** A question that ended with an answer and a grant, each of fin. */
async function ended({ by = prover, values = { approved: true }, earlier }: Ended) {
  const row = aDigestedRow({ ...aRow({ agent: 'pay' }), ...asked(100), audience: ['role:finance'] });
  await store.holds.putOnce([row]);
  const id = grantIdOf(sha1Hex, row);
  const call = { agent: 'a2a:pay', policy: 'finance', tool: 'refund', args: { amount: 100, to: 'M' } };
  const named = { id, hold: row.holdId, terms: termsOfGrant(allowed, call, {}, at) };
  const answeredAt = (when: string) => aProvedDecision(row, { by: fin, at: when, entry: { values }, prover: by });
  const who = { by: 'fin', as: ['role:finance'], at, credential: null, actor: null };
  const { proof } = answeredAt(earlier ?? at);
  if (proof === undefined) throw new Error('the answer has no proof');
  const grant = grantWithYes(prover.macOf, named, who, proof);
  const why = values.approved ? ('approved' as const) : ('declined' as const);
  const end = {
    holdId: row.holdId,
    status: 'decided' as const,
    decision: { ...answeredAt(at), grant },
    votes: [],
    answerFingerprint: 'f',
    supersededBy: null,
    ended: { by: 'fin', at, why },
  };
  await recordClosed(store, { config, now, prover }, [end], null);
  await recordClosed(store, { config, now, prover }, [end], null);
  return { made: await store.grants.get(id), named, grant };
}

// Promise Y60a
test('what was granted with a yes is a grant once its end is recorded, once, and none where the yes is not proved or is a no', async () => {
  const given = (await ended({})).made;
  expect(given).toMatchObject({ terms: { args: { amount: 100 }, times: 5 }, given: [{ by: 'fin' }] });
  expect(under(await planned([asked(90)]))).toEqual([given?.id]);
  expect((await ended({ by: createProver('01'.repeat(32)) })).made).toBeNull();
  expect((await ended({ values: { approved: false } })).made).toBeNull();
  await store.grants.end(given?.id ?? '', { by: 'fin', at, why: 'revoked' });
});

// Promise Y60c
test('what went with an answer is no grant without it, and none with another answer of its author', async () => {
  const { made, named, grant } = await ended({});
  expect(made === null ? null : whyUnproven(prover, made)).toBeNull();
  expect(whyUnproven(prover, { ...named, given: [grant.given] })).not.toBeNull();
  expect((await ended({ earlier: new Date(0).toISOString() })).made).toBeNull();
  await store.grants.end(made?.id ?? '', { by: 'fin', at, why: 'revoked' });
});
