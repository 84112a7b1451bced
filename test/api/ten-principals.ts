// Ten principals, and a question that belongs to one of them and is asked of another: for tests of who may do what.
import { beforeAll, expect } from '@jest/globals';
import { valueOf } from '../../src/api/auth/passkeys.ts';
import { ConfigSchema } from '../../src/contract/configuration/config.ts';
import { artifactDigest } from '../../src/core/consent/question-digest.ts';
import { createCodecKeys } from '../../src/host/secrets/codec-keys.ts';
import { fingerprintOf, sha256Of, sha256OfText } from '../../src/host/secrets/hash.ts';
import type { HoldRow, TaskRow } from '../../src/store/store.ts';
import { prover } from '../rigs/proofs.ts';
import { endRun, keepSnapshot } from '../rigs/store/store-writes.ts';
import { describeApi, type DescribedApi } from './describe-api.ts';
import { aHold, aQuestion, aTask, finished, freshThread, keyConfig, keys, takeEverything } from './rig.ts';

const more = {
  old: 'a-key-that-has-expired-long-ago-0001',
  bot: 'the-bot-has-a-key-of-its-own-00001',
  shop: 'the-shop-has-a-key-of-its-own-0001',
};
export const key = (value: string): Record<string, string> => ({ authorization: `Bearer ${value}` });

/** In the order of the letters below. */
export const principals: [string, Record<string, string>][] = [
  ['nobody', {}],
  ['a wrong key', key('nobody-has-this-key-0123456789abcdef')],
  ['a key that has expired', key(more.old)],
  ['a stranger', key(keys.ben)],
  ['the requester', key(keys.anna)],
  ['who is asked', key(keys.fin)],
  ['an operator', key(keys.op)],
  ['an agent whose role is asked', key(more.bot)],
  ['a back end alone', key(more.shop)],
  ['a back end for the requester', { ...key(more.shop), 'standfast-on-behalf-of': 'anna' }],
];

export interface Place {
  task: TaskRow;
  hold: HoldRow;
}
export const longMessage = {
  digest: sha256OfText('to the end'),
  bytes: 10,
  mediaType: 'text/plain',
  text: 'to the end',
} as const;

export interface Ten {
  rig: DescribedApi;
  place(): Promise<Place>;
  /** A letter for each principal, next to its name. */
  lettersOf(request: Request, shared?: Place): Promise<string[]>;
  answerOf(request: Request, at: Place, headers: Record<string, string>): Promise<Response>;
}

export interface Request {
  method: string;
  path: (at: Place) => string;
  body?: ((at: Place) => unknown) | undefined;
}

/** Letters next to the names of those who have them. */
export const named = (letters: string | readonly string[]): string[] =>
  Array.from(letters, (letter, at) => `${principals[at]?.[0] ?? ''}: ${letter}`);

/** The api with a key for each of them, and a question of anna's for each request. */
export function describeTen(): Ten {
  const rig = describeApi(() => {
    const further = [
      { user: 'anna', key: more.old, expires: '2020-01-01' },
      { user: 'bot', kind: 'agent' as const, roles: ['finance'], key: more.bot },
      { user: 'shop', kind: 'backend' as const, key: more.shop },
    ];
    const auth = ConfigSchema.parse({ auth: { keys: [...keyConfig, ...further] } }).auth;
    return { config: { auth }, codec: createCodecKeys('ab'.repeat(32)) };
  });
  let url = '';
  beforeAll(async () => {
    const kept = { name: 'A phone', cose: 'AA', publicKey: 'AA', counter: 0, transports: [], lastUsedAt: null };
    const value = valueOf({ prover }, { ...kept, user: 'fin', id: 'none', since: '' });
    await rig.store.personal.put({ user: 'fin', kind: 'passkey', name: 'none', value });
    takeEverything(rig);
    url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
  });

  let rows = 0;
  async function answerOf(
    { method, path, body }: Request,
    at: Place,
    headers: Record<string, string>,
  ): Promise<Response> {
    const payload = body?.(at);
    const response = await fetch(`${url}${path(at)}`, {
      method,
      headers: {
        accept: 'application/json, text/event-stream',
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload !== undefined && { body: JSON.stringify(payload) }),
    });
    if (response.status >= 400) expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    // Streams need not end for this.
    await response.body?.cancel();
    return response;
  }
  return {
    rig,
    place: () => placeIn(rig),
    answerOf,
    async lettersOf(request, shared) {
      // Past the minute in which keys that are not known are counted.
      rows += 1;
      rig.setNow(new Date(Date.now() + rows * 61_000).toISOString());
      const letterFor = async ([, headers]: (typeof principals)[number]): Promise<string> =>
        letterOf((await answerOf(request, shared ?? (await placeIn(rig)), headers)).status);
      if (shared === undefined) return named(await Promise.all(principals.map(letterFor)));
      // What one of them does to a shared question the next one finds.
      const letters: string[] = [];
      for (const principal of principals) letters.push(await letterFor(principal));
      return named(letters);
    },
  };
}

/** A question of anna's task that finance is asked, with all that may belong to one. */
async function placeIn(rig: DescribedApi): Promise<Place> {
  const threadId = freshThread();
  const ofAnna = await aTask(rig.store, threadId, { owner: 'anna' });
  const snapshot = { view: { artifacts: { a1: { total: 7 } } } };
  await keepSnapshot(rig.store, 'expenses', threadId, snapshot, []);
  const run = { agent: 'expenses', threadId, runId: 'r1' };
  const claimed = await rig.store.runs.claim(run, {
    taskId: ofAnna.taskId,
    fence: 1,
    opener: 'client',
    fingerprint: 'print',
    isControl: false,
  });
  if (claimed.result !== 'claimed') throw new Error('the run could not be claimed');
  await rig.store.log.append(claimed.run.logId, 1, [{ type: 'STATE_SNAPSHOT', snapshot }, finished(run)]);
  await endRun(rig.store, claimed.run.logId, 1, 'interrupt');
  const png = Buffer.from('png');
  const file = {
    id: 'a1',
    source: 'question' as const,
    name: 'a.png',
    mediaType: 'image/png',
    size: png.byteLength,
    uri: null,
    digest: sha256Of(png),
    omitted: null,
  };
  await rig.store.attachments.putContents(ofAnna.taskId, [longMessage]);
  await rig.store.attachments.put(ofAnna.taskId, 'm-1', [{ ...file, bytes: png }], true);
  const digest = artifactDigest(fingerprintOf, { name: 'a1', content: { total: 7 } });
  const asked = await aHold(rig.store, ofAnna, {
    audience: ['role:finance'],
    question: aQuestion({
      whole: [{ at: '/message', digest: longMessage.digest, bytes: longMessage.bytes, mediaType: 'text/plain' }],
    }),
    attachments: [file],
    artifacts: [{ id: 'a1', name: 'a1', digest }],
  });
  return { task: ofAnna, hold: asked };
}

/** `-` not known · `n` there is nothing for them · `x` kept out · `o` let in. */
function letterOf(status: number): string {
  if (status === 401) return '-';
  if (status === 404) return 'n';
  if (status === 403) return 'x';
  // An answer that it cannot be done now proves that the caller may.
  return status < 400 || [400, 409, 503].includes(status) ? 'o' : String(status);
}
