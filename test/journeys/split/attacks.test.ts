// Attacks from outside on api and worker, by somebody who may call the API, write to Temporal's namespace, or write to the database:
// once with STANDFAST_CODEC_KEY and once without. What each attack is about is in docs/security.md.
// Promise T27
import { randomUUID } from 'node:crypto';
import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Payload } from '@temporalio/common';
import { createHeadSigner } from '../../../src/cli/run/evidence-key.ts';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { createCodecKeys } from '../../../src/host/secrets/codec-keys.ts';
import { createProver } from '../../../src/host/secrets/proofs.ts';
import { dataConverterOf } from '../../../src/host/temporal/payload-codec.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import type { Answer, StandfastClient } from '../../rigs/product/standfast.ts';
import { softPasskey, type SoftPasskey } from '../../rigs/surfaces/soft-passkey.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { buildOnce, codeOf, greenDecision, longMs, readHold, runTemporal, waitForTask } from '../setting.ts';
import { forgeries, type Line } from './attack-forgeries.ts';
import {
  keyOf,
  outcomeOf,
  payloadsOf,
  rewriteChain,
  scriptOn,
  secrets,
  startAttacked,
  type Attacked,
} from './attack-rig.ts';

const fin = { id: 'fin', roles: ['finance'], isSuper: true, credential: 'key:fin-2026' };
const at = (): string => new Date().toISOString();

/** Every command that names a person, by its update. */
function commandsOn({ id, interruptId }: HoldView): [name: string, command: object][] {
  const named = { principal: fin, receivedAt: at() };
  const entry = { hold: id, interruptId, status: 'resolved', values: { colour: 'green' } };
  return [
    ['decide', { entry, ...named, source: 'page' }],
    ['run', { kind: 'resume', runId: 'forged', fingerprint: 'f', entries: [entry], ...named }],
    ['amend', { hold: id, kind: 'reassign', to: ['user:req'], note: null, ...named }],
    ['message', { text: 'Go on', messageId: randomUUID(), ...named }],
  ];
}

beforeAll(() => buildOnce());

describe.each([
  ['without a codec key', false],
  ['with a codec key', true],
] as const)('an installation %s', (_name, isEncrypted) => {
  const supervisor = createSupervisor();
  let on: Attacked;
  beforeAll(async () => {
    on = await startAttacked(supervisor, isEncrypted);
    await waitFor(async () => (await on.api.get('/readyz')).status === 200, longMs, 'readyz to say 200');
  });
  afterAll(() => supervisor.end());

  const decide = (who: StandfastClient, { id, digest }: HoldView): Promise<Answer> =>
    who.post(`/api/holds/${id}/decision`, { ...greenDecision(), digest });
  async function expectOpen({ id }: HoldView): Promise<void> {
    const now = await readHold(on.as('ops'), id);
    expect(now).toMatchObject({ status: 'open', decision: null, votes: { have: 0 }, audience: ['role:finance'] });
  }

  describe('a writer of Temporal’s namespace', () => {
    const codec = isEncrypted ? createCodecKeys(secrets.codec) : null;
    const stranger = createProver('another key of at least thirty-two characters');

    test('a writer of Temporal’s namespace decides, moves, sends and cancels in the name of no person, whatever the MAC is', async () => {
      const hold = await on.ask('four', 'forged');
      const workflowId = (await on.workflowOf(hold)) as never;
      const converters = [
        {},
        dataConverterOf(codec, stranger),
        // With a codec key an update that another key encrypted holds its task up, and is never taken (docs/security.md).
        ...(isEncrypted ? [] : [dataConverterOf(createCodecKeys('0d'.repeat(32)), stranger)]),
        dataConverterOf(codec, { payloadMacOf: () => Buffer.alloc(32), isPayloadMac: () => false }),
      ];
      for (const converter of converters)
        for (const [name, command] of commandsOn(hold)) {
          const updateId = randomUUID();
          const around = { workflowId, name, id: updateId, signedAt: at(), command };
          for (const argument of [command, around]) {
            const handle = on.temporal(converter).workflow.getHandle(workflowId);
            const sent = outcomeOf(handle.executeUpdate<unknown, [unknown]>(name, { updateId, args: [argument] }));
            expect([name, await sent]).toEqual([name, expect.not.arrayContaining(['taken'])]);
          }
        }
      await on.temporal({}).workflow.getHandle(workflowId).signal('cancelBy', { taskId: hold.taskId, by: 'fin' });
      const input = JSON.stringify({ interruptId: hold.interruptId, values: { colour: 'green' } });
      const signal = ['workflow', 'signal', '--workflow-id', String(workflowId), '--name', 'formResponse'];
      await runTemporal(on.split.temporal.address, [...signal, '--input', input]);
      await expectOpen(hold);
      const other = await on.ask('two', 'forged-two');
      for (const id of ['fin', 'fin2']) {
        const command = commandsOn(other)[0]?.[1];
        const handle = on.temporal({}).workflow.getHandle(await on.workflowOf(other));
        const named = { ...command, principal: { ...fin, id } };
        expect(await outcomeOf(handle.executeUpdate<unknown, [unknown]>('decide', { args: [named] }))).toBe(
          'forbidden',
        );
      }
      await expectOpen(other);
    });

    test('a writer of Temporal’s namespace repeats no command that was recorded, for another hold or for its own', async () => {
      const [hold, other] = [await on.ask('four', 'copied'), await on.ask('four', 'copied-to')];
      expect((await decide(on.as('fin'), hold)).status).toBe(200);
      await waitForTask(on.as('ops'), hold.taskId, 'DONE');
      const from = on.temporal({}).workflow.getHandle(await on.workflowOf(hold));
      const taken = ((await from.fetchHistory()).events ?? []).flatMap(
        ({ workflowExecutionUpdateAcceptedEventAttributes: one }) => one?.acceptedRequest ?? [],
      );
      const decision = taken.find(({ input }) => input?.name === 'decide');
      const copied = (decision?.input?.args?.payloads ?? []) as Payload[];
      expect(copied).toHaveLength(1);
      const to = on.temporal(payloadsOf(copied)).workflow.getHandle(await on.workflowOf(other));
      for (const updateId of [decision?.meta?.updateId ?? '', randomUUID()])
        for (const name of ['decide', 'run', 'amend'])
          expect(await outcomeOf(to.executeUpdate<unknown, [null]>(name, { updateId, args: [null] }))).toBe(
            'forbidden',
          );
      await expectOpen(other);
    });
  });

  describe('a caller', () => {
    test('a caller writes texts like encrypted ones into every field, and every list is there', async () => {
      for (const [index, prefix] of ['hp0:hp1:', 'hp1:deadbeef:AAAA', 'hp2:'].entries()) {
        const text = `${prefix} text`;
        const hold = await on.ask('slow', `text-${index}`);
        const to = `/api/holds/${hold.id}`;
        const put = { method: 'PUT', headers: { 'content-type': 'application/json' } };
        const written = [
          await on.as('req').post(`${to}/reassign-ask`, { note: text }),
          await on.as('fin').post(`${to}/comments`, { text }),
          await on.as('fin').post(`${to}/reassign`, { to: ['role:finance'], note: text }),
          await on.as('fin').post(`${to}/decision`, { ...greenDecision(text), reason: text }),
        ];
        expect([prefix, written.filter(({ status }) => status >= 400)]).toEqual([prefix, []]);
        await fetch(`${on.api.url}${to}/draft`, { ...put, body: JSON.stringify({ values: { note: text } }) });
        await on.as('req').run('four', { threadId: text, text: `say ${text}; complete` });
        for (const who of ['req', 'ops'] as const)
          for (const list of ['/api/holds', to, '/api/tasks', '/api/holds.csv'])
            expect([who, list, (await on.as(who).get(list)).status]).toEqual([
              who,
              list,
              expect.not.stringMatching(/^5/),
            ]);
        const { body } = await on.as('ops').get(to);
        expect(JSON.stringify(body)).toContain(JSON.stringify(text));
      }
      expect((await on.as('ops').get('/api/holds?limit=200')).status).toBe(200);
    });

    test('a caller is not another person by a name that resembles theirs', async () => {
      const names = ['FIN', 'fIn', 'fіn', 'ｆｉｎ', 'ﬁn', 'fin\u200B', 'fın', '0ps', 'le\u0251d', '\uA4EEps'];
      for (const [index, name] of names.entries()) {
        const header = { 'standfast-on-behalf-of': Buffer.from(name).toString('latin1') };
        const run = (): Promise<{ status: number }> =>
          on.as('shop').run('four', { threadId: `alike-${index}`, text: 'form => complete', headers: header });
        const status = await run().then(
          ({ status: given }) => given,
          () => 400,
        );
        expect([name, status]).toEqual([name, 400]);
      }
      const hold = await on.ask('two', 'one-person');
      const back = (name: string): StandfastClient => ({
        ...on.as('shop'),
        post: (path, body) => on.as('shop').post(path, body, { 'standfast-on-behalf-of': name }),
      });
      for (const name of ['fin', 'FIN', 'F1N', ' fin ']) await decide(back(name), hold);
      expect((await readHold(on.as('ops'), hold.id)).status).toBe('open');
      expect((await readHold(on.as('ops'), hold.id)).votes).toMatchObject({ have: 1 });
    });

    test('a caller keeps no question by a grace, and leaves the decision and its undo on the record', async () => {
      const hold = await on.ask('slow', 'grace');
      expect((await decide(on.as('fin'), hold)).status).toBe(200);
      expect(codeOf(await on.as('req').post(`/api/holds/${hold.id}/undo`))).not.toBeNull();
      await waitFor(
        async () => (await readHold(on.as('ops'), hold.id)).audience.includes('role:lead'),
        longMs,
        'the escalation while a decision waits',
      );
      expect((await on.as('ops').post(`/api/holds/${hold.id}/undo`)).status).toBe(200);
      const kinds = await on.sql<{ record: string }>('select record from evidence where hold_id = $1 order by seq', [
        hold.id,
      ]);
      const read = kinds.map(({ record }) => JSON.parse(record) as { kind: string; by?: string });
      expect(read).toContainEqual(expect.objectContaining({ kind: 'staged', by: 'fin' }));
      expect(read).toContainEqual(expect.objectContaining({ kind: 'undone', by: 'ops' }));
      expect((await decide(on.as('fin'), hold)).status).toBe(200);
      await waitForTask(on.as('ops'), hold.taskId, 'DONE');
    });

    test('a caller changes no limit of an agent that is not for them, by an agent’s key as little', async () => {
      on.engram.records.set({ key: { key: 'config/limits' }, value: { approvalAbove: 100 } });
      const state = { view: { engram: { 'config/limits': { approvalAbove: 1e9 } } } };
      for (const who of ['req', 'bot', 'fin', 'shop'] as const) {
        await on
          .as(who)
          .run('settings', { threadId: randomUUID(), state, forwardedProps: { engram: { mode: 'sync' } } });
        const inMessage = { a2a: { engramUpdate: [{ op: 'replace', key: 'config/limits', value: 1 }] } };
        await on.as(who).run('settings', { threadId: randomUUID(), text: 'hello', forwardedProps: inMessage });
      }
      expect(on.engram.records.get('config/limits')?.value).toEqual({ approvalAbove: 100 });
    });

    test('a caller gets nothing from an agent whose card is not signed by its key', async () => {
      const { events, status } = await on.as('req').run('carded', { threadId: 'card', text: 'say hello; complete' });
      expect(status === 200 ? events.at(-1)?.type : 'RUN_ERROR').toBe('RUN_ERROR');
      expect((await on.fake.messages()).filter(({ parts }) => JSON.stringify(parts).includes('say hello'))).toEqual([]);
    });
  });

  describe('somebody with a session, but not the passkey of its person,', () => {
    let cookie: Record<string, string>;
    let own: SoftPasskey;
    const post = (path: string, body: object): Promise<Answer> => on.api.post(path, body, cookie);
    beforeAll(async () => {
      const site = { 'sec-fetch-site': 'same-origin' };
      const signedIn = await on.api.post('/api/login', { key: keyOf('fin') }, site);
      cookie = { ...site, cookie: String(signedIn.headers.get('set-cookie')).split(';', 1)[0] ?? '' };
      own = softPasskey(on.origin);
      const { body } = await post('/api/me/passkeys/options', {});
      const registration = own.create((body as { creation: object }).creation);
      expect((await post('/api/me/passkeys', { name: 'A phone', registration })).status).toBe(200);
    });

    test('somebody with a session, but not the passkey of its person, decides nothing, and registers and removes none', async () => {
      const [hold, other] = [await on.ask('signed', 'wire'), await on.ask('signed', 'wire-2')];
      const yes = { ...greenDecision(), digest: hold.digest };
      const to = `/api/holds/${hold.id}/decision`;
      const options = async (of: HoldView, body: object): Promise<object> =>
        ((await post(`/api/holds/${of.id}/signing`, { ...body, digest: of.digest })).body as { options: object })
          .options;
      expect(codeOf(await post(to, yes))).toBe('passkey_required');
      const stolen = softPasskey(on.origin);
      stolen.id = own.id;
      const used = own.get(await options(other, yes));
      const forged = [
        stolen.get(await options(hold, yes)),
        softPasskey(on.origin).get(await options(hold, yes)),
        own.get(await options(hold, yes), { origin: 'https://evil.example' }),
        own.get(await options(hold, yes), { challenge: 'AAAA' }),
        own.get(await options(hold, yes), { flags: 0 }),
        own.get(await options(hold, greenDecision('another answer'))),
        used,
      ];
      for (const passkey of forged) expect(codeOf(await post(to, { ...yes, passkey }))).toBe('passkey_invalid');
      await expectOpen(hold);
      const { body } = await post('/api/me/passkeys/options', {});
      const registration = stolen.create((body as { creation: object }).creation);
      expect(codeOf(await post('/api/me/passkeys', { name: 'Mine', registration }))).toBe('passkey_required');
      expect(codeOf(await post('/api/me/passkeys/removals/options', { id: own.id }))).toBe('forbidden');
      expect(codeOf(await post('/api/passkeys/revocations', { user: 'fin', id: own.id }))).toBe('forbidden');
    });
  });

  describe('a reader of database and Temporal', () => {
    test('a reader of database and Temporal finds no word of anybody, nor where callers are notified, with the key alone', async () => {
      const canary = `canary${randomUUID().slice(0, 8)}`;
      const hold = await on.ask('four', randomUUID());
      await on.as('fin').post(`/api/holds/${hold.id}/comments`, { text: canary });
      await on.as('req').run('four', { threadId: randomUUID(), text: `say ${canary}; complete` });
      const message = {
        messageId: canary.replace('canary', 'm'),
        role: 'ROLE_USER',
        parts: [{ text: 'form => complete' }],
      };
      const taskPushNotificationConfig = { url: `https://${canary}.example/hook`, token: canary };
      const configuration = { returnImmediately: true, taskPushNotificationConfig };
      const params = { message, configuration };
      const call = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params };
      const sent = await on.as('req').post('/a2a/four/', call, { 'a2a-version': '1.0' });
      expect(sent.body).toMatchObject({ result: expect.anything() });
      const tables = await on.sql<{ name: string }>(
        `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
      );
      const found: string[] = [];
      for (const { name } of tables) {
        const rows = await on.sql(`select 1 from ${name} one where one::text like $1`, [`%${canary}%`]);
        if (rows.length > 0) found.push(name);
      }
      if (isEncrypted) expect(found).toEqual([]);
      else expect(found).toContain('comments');
    });
  });

  describe('a writer of the database', () => {
    test('a writer of the database has no other question approved than the one that is shown', async () => {
      const [cheap, dear] = [
        await on.ask('four', 'lunch', 'Lunch 12 EUR'),
        await on.ask('four', 'evil', 'Wire 4,200,000 EUR'),
      ];
      const [row] = await on.sql<{ question: string }>('select question from holds where hold_id = $1', [cheap.id]);
      const [kept] = await on.sql<{ question: string }>('select question from holds where hold_id = $1', [dear.id]);
      const clear = JSON.stringify({ kind: 'form', title: 'Lunch', message: 'Lunch', schema: {}, defaults: {} });
      for (const question of [row?.question, clear, `hp0:${clear}`]) {
        await on.sql('update holds set question = $1 where hold_id = $2', [question, dear.id]);
        const digests = [cheap.digest, dear.digest];
        for (const digest of digests)
          expect((await decide(on.as('fin'), { ...dear, digest })).status).toBeGreaterThanOrEqual(400);
        expect((await on.as('fin').get('/api/holds')).status).toBe(200);
      }
      expect((await on.verify()).output).toContain(`ALTERED ${dear.id}`);
      await on.sql('update holds set question = $1 where hold_id = $2', [kept?.question, dear.id]);
      expect((await on.fake.messages()).filter(({ taskId }) => taskId !== null && taskId === dear.taskId)).toEqual([]);
    });

    test('a writer of the database launders no altered question by what happens to it later', async () => {
      const hold = await on.ask('two', 'laundered');
      await on.sql(`update holds set owner = 'somebody-else', policy = 'none' where hold_id = $1`, [hold.id]);
      expect((await on.verify()).output).toContain(`ALTERED ${hold.id}`);
      await decide(on.as('fin'), hold);
      await on.as('ops').post(`/api/holds/${hold.id}/reassign`, { to: ['user:fin'], note: 'Please' });
      const { code, output } = await on.verify();
      expect([code, output]).toEqual([1, expect.stringContaining(`ALTERED ${hold.id}`)]);
    });

    test('a writer of the database forges no export', async () => {
      const hold = await on.ask('four', 'exported');
      expect((await decide(on.as('fin'), hold)).status).toBe(200);
      await waitForTask(on.as('ops'), hold.taskId, 'DONE');
      const [last] = await on.sql<{ seq: string }>('select max(seq) as seq from evidence where hold_id = $1', [
        hold.id,
      ]);
      const isSigned = async (): Promise<boolean> =>
        (await readFile(on.heads, 'utf8').catch(() => ''))
          .trim()
          .split('\n')
          .some((line) => line !== '' && (JSON.parse(line) as { seq: number }).seq >= Number(last?.seq));
      await waitFor(isSigned, longMs, 'a signed head after the decision');
      const { output } = await on.standfast('export', '--hold', hold.id);
      const dir = dirname(on.heads);
      expect(await scriptOn(dir, output)).toBe(0);
      const lines = output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Line);
      for (const [what, forge] of forgeries) {
        const forged = forge(lines).map((line) => JSON.stringify(line));
        expect([what, await scriptOn(dir, forged.join('\n'))]).toEqual([what, 1]);
      }
    });

    test('a writer of the database hides nothing by the file of heads: emptied, removed, or with lines added', async () => {
      const kept = await readFile(on.heads, 'utf8');
      const stranger = createHeadSigner('f0'.repeat(32));
      const [head] = await on.sql<{ seq: string }>('select seq from chain_head');
      await on.worker.stop();
      const after = await readFile(on.heads, 'utf8');
      await rename(on.heads, `${on.heads}.away`);
      expect((await on.verify()).code).not.toBe(0);
      await writeFile(on.heads, '');
      expect((await on.verify()).code).toBe(1);
      expect(after.length).toBeGreaterThanOrEqual(kept.length);
      await writeFile(on.heads, after);
      const forged = await rewriteChain(on, (record) => record.replaceAll('"fin"', '"fin2"'));
      expect((await on.verify()).output).toContain('not the one that was signed');
      await appendFile(on.heads, `${JSON.stringify(stranger({ seq: Number(head?.seq), hash: forged }))}\n`);
      expect((await on.verify()).code).toBe(1);
      await writeFile(on.heads, after);
    });

    test('a writer of the database has the worker sign no chain of their own', async () => {
      const before = await readFile(on.heads, 'utf8');
      const worker = await on.split.startWorker();
      await worker.waitForLine(/is not the one that was signed/, longMs);
      expect(await readFile(on.heads, 'utf8')).toBe(before);
      await worker.stop();
    });
  });

  test('a process with another codec key, another seal key, or without one does not start', async () => {
    const wrong = [{ STANDFAST_SEAL_KEY: 'aa'.repeat(32) }, { STANDFAST_SEAL_KEY: '' }];
    const codec = isEncrypted ? [{ STANDFAST_CODEC_KEY: 'aa'.repeat(32) }, { STANDFAST_CODEC_KEY: '' }] : [];
    const first = isEncrypted ? [] : [{ STANDFAST_CODEC_KEY: secrets.codec }];
    const started = [...wrong, ...codec, ...first].map(async (env, index) => {
      const { code, output } = await on.startedWith(env, index % 2 === 0 ? 'api' : 'worker');
      return [env, code === 0, output];
    });
    for (const [env, isGood, output] of await Promise.all(started))
      expect([env, isGood, output]).toEqual([env, false, expect.not.stringMatching(/^ready/m)]);
  });
});
