// The attachments of a question, as those who may see it get it.
import { describe, expect, test } from '@jest/globals';
import type { Attachment } from '../../../src/contract/holds/attachment.ts';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { sha256Of } from '../../../src/host/secrets/hash.ts';
import { aHold, aTask, bearer, freshThread, type keys } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const rig = describeApi({ withKeys: true });

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

async function asked(name: string, mediaType: string, content: string, over: Partial<Attachment> = {}) {
  const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
  const bytes = Buffer.from(content);
  const file: Attachment = {
    id: `f${name.length}`,
    source: 'question',
    name,
    mediaType,
    size: bytes.byteLength,
    uri: null,
    digest: sha256Of(bytes),
    omitted: null,
    ...over,
  };
  await rig.store.attachments.put(task.taskId, 'm-1', [{ ...file, bytes }], true);
  const attachments = [file, { ...file, id: 'd', name: 'data', data: { total: 7 } }];
  const hold = await aHold(rig.store, task, { audience: ['role:finance'], attachments });
  return { hold, file };
}
const take = (url: string, who: keyof typeof keys = 'fin') =>
  rig.app.inject({ method: 'GET', url, headers: bearer(who) });

describe('a file attached to a question', () => {
  // Promise C6
  test('a file attached to a question is returned with the question, apart from data, with an address at Standfast', async () => {
    const { hold, file } = await asked('a.png', 'image/png', 'png');
    const { context } = (await take(`/api/holds/${hold.holdId}`)).json<HoldView>();
    expect(context.data).toEqual([{ id: 'd', name: 'data', digest: file.digest, data: { total: 7 } }]);
    expect(context.files).toEqual([{ ...file, url: `/api/holds/${hold.holdId}/files/${file.id}` }]);
  });

  // Promise C8
  test.each([
    ['a.png', 'image/png', 'image/png', 'inline'],
    ['a.txt', 'text/plain; charset=latin1', 'text/plain; charset=utf-8', 'inline'],
    ['a.svg', 'image/svg+xml', 'image/svg+xml', 'attachment'],
    ['a.html', 'text/html', 'application/octet-stream', 'attachment'],
    ['a.xhtml', 'application/xhtml+xml', 'application/octet-stream', 'attachment'],
    ['a.pdf', 'application/pdf', 'application/pdf', 'attachment'],
  ])(
    'the file %s, given as %s, is served as %s, %s, and nothing in it runs',
    async (name, mediaType, type, disposition) => {
      const { hold, file } = await asked(name, mediaType, svg);
      const { statusCode, headers, rawPayload } = await take(`/api/holds/${hold.holdId}/files/${file.id}`);
      expect(statusCode).toBe(200);
      expect(headers['content-type']).toBe(type);
      expect(headers['content-disposition']).toMatch(new RegExp(`^${disposition}; filename=`));
      expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'; sandbox");
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(rawPayload.toString()).toBe(svg);
    },
  );

  // Promise C8
  test('a file attached to a question is for those who may see the question alone, and of no other question', async () => {
    const { hold, file } = await asked('a.png', 'image/png', 'png');
    expect((await take(`/api/holds/${hold.holdId}/files/${file.id}`, 'ben')).statusCode).toBe(404);
    expect((await take(`/api/holds/${hold.holdId}/files/d`)).statusCode).toBe(404);
    expect((await take(`/api/holds/${hold.holdId}/files/other`)).statusCode).toBe(404);
  });

  // Promise T24
  test('a file attached to a question is had by no id of another question, of an own one or of a stranger’s, and neither is an artifact', async () => {
    const artifacts = [{ id: 'plan', name: 'plan', digest: 'sha256:a' }];
    const mine = await asked('mine.png', 'image/png', 'mine');
    const theirs = await asked('of-others.png', 'image/png', 'theirs');
    await rig.store.holds.amend(theirs.hold.holdId, { audience: ['user:anna'] });
    const other = await aHold(rig.store, await aTask(rig.store, freshThread(), { owner: 'anna' }), { artifacts });
    const statusOf = async (hold: { holdId: string; interruptId: string }, rest: string) => [
      (await take(`/api/holds/${hold.holdId}/${rest}`)).statusCode,
      (await take(`/api/holds/${encodeURIComponent(hold.interruptId)}/${rest}`)).statusCode,
    ];
    expect(await statusOf(mine.hold, `files/${mine.file.id}`)).toEqual([200, 200]);
    const nothing = [404, 404];
    expect(await statusOf(theirs.hold, `files/${theirs.file.id}`)).toEqual(nothing);
    expect(await statusOf(mine.hold, `files/${theirs.file.id}`)).toEqual(nothing);
    expect(await statusOf(theirs.hold, `files/${mine.file.id}`)).toEqual(nothing);
    expect(await statusOf(other, 'artifacts/plan')).toEqual(nothing);
    expect(await statusOf(mine.hold, 'artifacts/plan')).toEqual(nothing);
    const ofTask = [other.taskId, theirs.hold.taskId].map((id) => take(`/api/tasks/${id}/artifacts/plan`));
    expect((await Promise.all(ofTask)).map(({ statusCode }) => statusCode)).toEqual(nothing);
  });

  test('a file attached to a question that is not here has no address, and says why', async () => {
    const { hold } = await asked('big.bin', 'application/zip', 'x', { digest: null, omitted: 'too_large' });
    const { context } = (await take(`/api/holds/${hold.holdId}`)).json<HoldView>();
    expect(context.files).toMatchObject([{ url: null, omitted: 'too_large' }]);
  });

  // Promise C8
  test('a file attached to a question that is not what the digest covers is not served', async () => {
    const { hold } = await asked('a.png', 'image/png', 'png', { digest: 'sha256:00' });
    expect((await take(`/api/holds/${hold.holdId}/files/f5`)).statusCode).toBe(404);
  });
});
