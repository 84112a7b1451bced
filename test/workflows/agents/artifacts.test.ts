// What people are shown with a question: proven by its digest, and there for good.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readAttachment } from '../../../src/api/holds/attachments.ts';
import { artifactsOf, readShownArtifact } from '../../../src/api/holds/hold-artifacts.ts';
import { holdViewOf } from '../../../src/api/holds/hold-view.ts';
import { artifactDigest, holdDigest } from '../../../src/core/consent/question-digest.ts';
import { fingerprintOf } from '../../../src/host/secrets/hash.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { checkRun } from '../../rigs/streams/check-run.ts';
import { answer, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';

const supervisor = createSupervisor();
let core: Core;
beforeAll(async () => {
  core = await startCore(supervisor);
});
afterAll(() => (core === undefined ? supervisor.end() : core.stop()));

const green = { colour: 'green' };
const body = async (hold: HoldRow, id: string): Promise<string | undefined> =>
  (await readShownArtifact(core.engine, hold, id))?.body;

describe('artifacts shown with a question', () => {
  // Promise Q37
  test.concurrent('artifacts shown with a question are in its digest: names and contents, of data and of a text still open', async () => {
    const task = await core.engine.open('data; stream 3; form => complete');
    const hold = await task.asked();
    expect(hold.artifacts).toEqual([
      {
        id: 'result',
        name: 'result',
        digest: artifactDigest(fingerprintOf, { name: 'result', content: { ok: true, items: [1, 2, 3] } }),
      },
      {
        id: 'reply',
        name: 'reply',
        digest: artifactDigest(fingerprintOf, { name: 'reply', content: 't1 t2 t3 ' }),
        textLength: 9,
      },
    ]);
    const asked = { ...hold, requester: hold.owner, artifacts: hold.artifacts ?? [] };
    expect(hold.digest).toBe(holdDigest(fingerprintOf, asked));
    expect(hold.digest).not.toBe(holdDigest(fingerprintOf, { ...asked, artifacts: [] }));
    const log = await task.log();
    checkRun(log);
    expect(log.at(-1)).toMatchObject({
      outcome: { interrupts: [{ metadata: { standfast: { digest: hold.digest } } }] },
    });
    expect(await task.decide({ ...answer(hold, green), digest: hold.digest })).toMatchObject({ kind: 'answer' });
    await task.status('DONE');
  });

  // Promise Q37, QU2
  test.concurrent('no artifacts with a question leave its digest to the question, as GET /api/holds/<id> shows it', async () => {
    const task = await core.engine.open('form => complete');
    const hold = await task.asked();
    expect(hold.artifacts).toEqual([]);
    const shown = holdViewOf(hold, { id: 'u', roles: [], isSuper: true }, { request: '', now: hold.openedAt });
    const { id, agent, requester, kind, title, message, schema, defaults, links, tool, context } = shown;
    const question = { id, agent, requester, kind, title, message, schema, defaults, links, tool, data: [], files: [] };
    const { toolArgs, dialectDigest: dialect } = context;
    expect(hold.digest).toBe(fingerprintOf({ ...question, toolArgs, artifacts: [], dialect }));
    await task.decide(answer(hold, green));
    await task.status('DONE');
  });

  // Promise Q37
  test.concurrent('artifacts shown with a question that changed before it was asked again make it another question', async () => {
    const task = await core.engine.open('say first; form => say second; form => complete');
    const old = await task.asked(1);
    await task.say('Is that all?');
    const hold = await task.asked(2);
    expect(hold.digest).not.toBe(old.digest);
    const stale = { ...answer(hold, green), digest: old.digest };
    expect(await task.decide(stale)).toMatchObject({ refusal: { code: 'digest_mismatch' } });
    expect([await body(old, 'said'), await body(hold, 'said')]).toEqual(['first', 'second']);
    await task.decide({ ...answer(hold, green), digest: hold.digest });
    await task.status('DONE');
  });

  // Not in parallel with others: it thins out their logs too.
  // Promise Q38
  test('artifacts shown with a question stay as they were shown, whatever the agent makes of them later', async () => {
    const task = await core.engine.open('say draft; form => say final; complete');
    const hold = await task.asked();
    expect(await body(hold, 'said')).toBe('draft');
    await task.decide({ ...answer(hold, green), digest: hold.digest });
    await task.status('DONE');
    const { store } = core.engine;
    await waitFor(
      async () => JSON.stringify((await store.threads.get(task.agent, task.threadId))?.state).includes('final'),
      10_000,
      'the thread’s state with the later version',
    );
    const decided = await task.hold();
    expect(decided).toMatchObject({ status: 'decided', decision: { digest: hold.digest }, artifacts: hold.artifacts });
    expect(artifactsOf(decided)).toMatchObject([{ id: 'said', digest: hold.artifacts?.[0]?.digest }]);
    expect(await body(decided, 'said')).toBe('draft');
    // Old logs are thinned out; what was shown is among what stays.
    await waitFor(async () => (await store.compact(0, 100)) === 0, 10_000, 'all logs to be folded');
    expect(await body(decided, 'said')).toBe('draft');
  });
});

// Promise C6
describe('what is attached to a question', () => {
  test.concurrent('what is attached to a question of its message is kept with it: data as data, files by their bytes, and is in its digest', async () => {
    const raw = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');
    let deep: object = {};
    for (let level = 0; level < 1000; level += 1) deep = { a: deep };
    const parts = [
      { text: 'Pay the attached invoice?' },
      { data: { total: 4210, currency: 'EUR' } },
      { raw, filename: 'invoice.svg', mediaType: 'image/svg+xml' },
      { url: 'https://elsewhere.example/terms.pdf', filename: 'terms.pdf', mediaType: 'application/pdf' },
      { data: deep },
    ];
    const task = await core.engine.open(JSON.stringify({ turns: [[{ do: 'pause', parts }], [{ do: 'complete' }]] }));
    const hold = await task.asked();
    expect(hold.attachments).toMatchObject([
      { name: 'data', data: { total: 4210, currency: 'EUR' } },
      { name: 'invoice.svg', mediaType: 'image/svg+xml', size: 41, digest: expect.stringMatching(/^sha256:/) },
      { name: 'terms.pdf', uri: 'https://elsewhere.example/terms.pdf', digest: null, omitted: 'elsewhere' },
      { name: 'data', data: expect.anything() },
    ]);
    expect(JSON.stringify(hold.attachments[3]?.data).length).toBeLessThan(1000);
    const [, file] = hold.attachments;
    const found = await readAttachment(core.engine, hold, file?.id ?? '');
    expect(Buffer.from(found?.bytes ?? []).toString('base64')).toBe(raw);
    const asked = { ...hold, requester: hold.owner, artifacts: hold.artifacts ?? [] };
    expect(hold.digest).toBe(holdDigest(fingerprintOf, asked));
    await task.decide(answer(hold, { text: 'yes' }));
    await task.status('DONE');
  });

  test.concurrent('what is attached to a question among its artifacts is kept too, and what the agent replaced meanwhile is not shown', async () => {
    const artifact = (name: string) => ({
      do: 'artifact',
      artifact: {
        artifactId: 'invoice',
        name: 'invoice',
        parts: [{ raw: 'cGRm', filename: name, mediaType: 'application/pdf' }],
      },
    });
    const turns = [[artifact('old.pdf'), artifact('new.pdf'), { do: 'form' }], [{ do: 'complete' }]];
    const task = await core.engine.open(JSON.stringify({ turns }));
    const hold = await task.asked();
    expect(hold.attachments).toMatchObject([{ source: 'artifact', name: 'new.pdf', size: 3, omitted: null }]);
    await task.decide(answer(hold, green));
    await task.status('DONE');
  });
});
