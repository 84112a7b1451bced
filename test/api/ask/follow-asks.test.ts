// Many questions of a program, followed by one request; and what becomes of a question whose text has changed.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { askThreadId } from '../../../src/api/ask/ask-runs.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { TaskStart } from '../../../src/contract/tasks/run.ts';
import type { AskReply } from '../../../src/contract/views/ask.ts';
import { askAgent } from '../../../src/core/base/ids.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { closeSent } from '../../rigs/proofs.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import {
  aDecision,
  anEnd,
  bearer,
  withdrawWhatIsAsked,
  freshThread,
  keyConfig,
  type keys,
  openWhatIsAsked,
} from '../rig.ts';
import { describeApi } from '../describe-api.ts';

type Who = keyof typeof keys;
type Body = Partial<AskReply> & { items?: Partial<AskReply>[]; unknown?: string[]; code?: string; detail?: string };
interface Answer {
  status: number;
  body: Body;
}

let starts: TaskStart[];
const policies = { finance: { audience: ['role:finance'] } };
const rig = describeApi({
  withKeys: true,
  config: { auth: { keys: keyConfig }, policies, ask: { policy: 'finance' } },
});
beforeEach(() => {
  starts = openWhatIsAsked(rig);
  withdrawWhatIsAsked(rig);
});

async function post(url: string, payload: JsonObject, who: Who = 'anna'): Promise<Answer> {
  const response = await rig.app.inject({ method: 'POST', url, headers: bearer(who), payload });
  return { status: response.statusCode, body: response.json() };
}
const ask = (payload: JsonObject, who: Who = 'anna'): Promise<Answer> => post('/api/ask', payload, who);
const replies = (payload: JsonObject, who: Who = 'anna'): Promise<Answer> => post('/api/ask/replies', payload, who);
const read = async (id: string): Promise<Answer> => {
  const response = await rig.app.inject({ method: 'GET', url: `/api/ask?id=${id}`, headers: bearer('anna') });
  return { status: response.statusCode, body: response.json() };
};

const close = (
  { holdId }: HoldRow,
  status: Parameters<typeof anEnd>[0],
  decision: HoldRow['decision'],
): Promise<void> => closeSent(rig.store, holdId, anEnd(status, decision, null));

async function decide(id: string, text: string): Promise<void> {
  const hold = (await rig.store.holds.ofThread(askAgent, askThreadId({ id: 'anna' }, id))).at(-1);
  if (hold === undefined) throw new Error(`nothing is asked under ${id}`);
  await close(hold, 'decided', aDecision({ values: { text } }));
}

async function asked(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => freshThread());
  for (const id of ids) await ask({ id, message: 'Which colour?' });
  return ids;
}

describe('POST /api/ask/replies', () => {
  // Promise OT8
  test('POST /api/ask/replies has those that have ended, and nothing of those that wait', async () => {
    const ids = await asked(3);
    expect(await replies({ ids })).toEqual({ status: 200, body: { items: [], unknown: [] } });
    await decide(ids[1] ?? '', 'red');
    const { body } = await replies({ ids });
    expect(body.items).toMatchObject([{ id: ids[1], status: 'answered', values: { text: 'red' } }]);
  });

  // Promise OT8
  test('POST /api/ask/replies waits on one connection for the first answer to any of many questions', async () => {
    const ids = await asked(40);
    const waiting = replies({ ids, wait: 30 });
    await decide(ids[33] ?? '', 'blue');
    expect((await waiting).body).toMatchObject({ items: [{ id: ids[33], values: { text: 'blue' } }], unknown: [] });
  });

  // Promise OT8
  test('POST /api/ask/replies, while it waits for many open questions, reads again only what has ended', async () => {
    const ids = await asked(40);
    const { newestOf } = rig.store.holds;
    const counts: number[] = [];
    rig.store.holds.newestOf = (agent, threadIds) => {
      counts.push(threadIds.length);
      return newestOf(agent, threadIds);
    };
    try {
      const waiting = replies({ ids, wait: 30 });
      await waitFor(() => Promise.resolve(counts.length > 1), 5_000, 'the wait to have begun');
      await decide(ids[7] ?? '', 'green');
      expect((await waiting).body.items).toMatchObject([{ id: ids[7], values: { text: 'green' } }]);
    } finally {
      rig.store.holds.newestOf = newestOf;
    }
    expect(counts[0]).toBe(40);
    expect(counts.slice(1).every((count) => count === 0)).toBe(true);
  });

  test('POST /api/ask/replies brings the page and the end of a question as soon as it is open', async () => {
    const id = freshThread();
    const open = rig.tasks.open;
    let letOpen: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letOpen = resolve));
    rig.tasks.open = async (start) => {
      void held.then(() => open(start, ''));
      return { kind: 'unanswered', by: 'worker' };
    };
    expect((await ask({ id, message: 'Which colour?' })).body).toMatchObject({ link: null, expiresAt: null });
    const waiting = replies({ ids: [id], until: 'opened', wait: 30 });
    letOpen();
    const [reply] = (await waiting).body.items ?? [];
    expect(reply).toMatchObject({ id, status: 'waiting', link: expect.stringContaining('/holds/') });
  });

  // Promise OT8
  test('POST /api/ask/replies shows no caller the questions of another: their ids are unknown', async () => {
    const [id = ''] = await asked(1);
    await decide(id, 'red');
    expect(await replies({ ids: [id], wait: 30 }, 'ben')).toEqual({ status: 200, body: { items: [], unknown: [id] } });
    expect(await replies({ ids: [id], wait: 30 }, 'op')).toMatchObject({ body: { items: [], unknown: [id] } });
  });

  // Promise OT8
  test('POST /api/ask/replies follows the others where some ids can name no question', async () => {
    const [id = ''] = await asked(1);
    await decide(id, 'red');
    const unfit = ['a\nb', '', 'x'.repeat(500)];
    expect((await replies({ ids: [...unfit, id] })).body).toMatchObject({ items: [{ id }], unknown: unfit });
  });

  test('POST /api/ask/replies refuses what names no question', async () => {
    expect((await replies({ ids: [] })).status).toBe(400);
    expect((await replies({ ids: Array.from({ length: 2_001 }, (_, n) => `id-${n}`) })).status).toBe(400);
  });
});

describe('POST /api/ask with another text under its id', () => {
  // Promise OT9
  test('A question whose text has changed is refused, or waits for the answer to what was asked', async () => {
    const [id = ''] = await asked(1);
    const changed = { id, message: 'Which colour, please?' };
    expect(await ask(changed)).toMatchObject({
      status: 409,
      body: { code: 'run_conflict', detail: expect.stringContaining('ifChanged') },
    });
    expect(await ask({ ...changed, ifChanged: 'wait' })).toMatchObject({ status: 202, body: { status: 'waiting' } });
    await decide(id, 'red');
    expect((await ask({ ...changed, ifChanged: 'wait' })).body).toMatchObject({ values: { text: 'red' } });
    expect(starts).toHaveLength(1);
  });

  // Promise T27
  test('A question is of who asks it, whatever owner a writer of the database gave its thread before', async () => {
    const id = freshThread();
    await rig.store.threads.claim(askAgent, askThreadId({ id: 'anna' }, id), 'ben');
    expect(await ask({ id, message: 'Which colour?' })).toMatchObject({ status: 202 });
    expect(starts.map(({ owner }) => owner)).toEqual(['anna']);
  });

  // Promise OT9b
  test('A call does not wait for the answer to what was asked about the call of another tool, or in words', async () => {
    const id = freshThread();
    const reading = { name: 'read', args: { path: '/tmp' } };
    expect(await ask({ id, tool: reading })).toMatchObject({ status: 202 });
    const wipe = { tool: { name: 'wipe', args: { path: '/' } }, ifChanged: 'wait' };
    expect(await ask({ id, ...wipe })).toMatchObject({ status: 409, body: { code: 'run_conflict' } });
    expect(await ask({ id, message: 'Wipe it?', ifChanged: 'wait' })).toMatchObject({ status: 409 });
    const other = { ...reading, args: { path: '/srv' } };
    expect(await ask({ id, tool: other, ifChanged: 'wait' })).toMatchObject({ status: 202, body: { version: 1 } });
    const [words = ''] = await asked(1);
    expect(await ask({ id: words, ...wipe })).toMatchObject({ status: 409 });
  });

  // Promise OT9
  test('A question that replaces another withdraws it, is asked once, and takes no answer to what it replaced', async () => {
    const [id = ''] = await asked(1);
    await decide(id, 'red');
    const changed = { id, message: 'Which size?', ifChanged: 'replace' };
    expect(await ask(changed)).toMatchObject({ status: 202, body: { status: 'waiting', values: null } });
    expect(await ask(changed)).toMatchObject({ status: 202 });
    expect(await read(id)).toMatchObject({ status: 202 });
    expect(starts).toHaveLength(2);
    await decide(id, 'large');
    expect((await read(id)).body).toMatchObject({ values: { text: 'large' } });
    expect((await ask({ ...changed, ifChanged: 'refuse' })).body).toMatchObject({ values: { text: 'large' } });
    // The first text again is another question than the one that is asked now.
    expect((await ask({ id, message: 'Which colour?' })).status).toBe(409);
    expect(await ask({ id, message: 'Which colour?', ifChanged: 'replace' })).toMatchObject({ status: 202 });
    expect(starts).toHaveLength(3);
  });

  // Promise OT9
  test('A question that replaces another which is open is the only one of its id that people see', async () => {
    const [id = ''] = await asked(1);
    await ask({ id, message: 'Which size?', ifChanged: 'replace' });
    const holds = await rig.store.holds.ofThread(askAgent, askThreadId({ id: 'anna' }, id));
    expect(holds.map(({ status, question }) => [status, question.message])).toEqual([
      ['cancelled', 'Which colour?'],
      ['open', 'Which size?'],
    ]);
  });

  // Promise OT9a
  test('A program whose question another replaces as it is asked reads that it was withdrawn, and no answer to the other', async () => {
    const id = freshThread();
    const { newestOf } = rig.store.holds;
    let isFirst = true;
    rig.store.holds.newestOf = async (agent, threadIds) => {
      if (isFirst) {
        isFirst = false;
        await ask({ id, message: 'Deploy 2?', ifChanged: 'replace' });
        await decide(id, 'yes');
      }
      return newestOf(agent, threadIds);
    };
    try {
      const { status, body } = await ask({ id, message: 'Deploy 1?', wait: 5 });
      expect(status).toBe(200);
      expect(body).toMatchObject({ status: 'withdrawn', version: 1, values: null, by: null });
      expect(body.reason).toContain('another question was asked in its place');
    } finally {
      rig.store.holds.newestOf = newestOf;
    }
    expect((await read(id)).body).toMatchObject({ status: 'answered', version: 2, values: { text: 'yes' } });
  });

  // Promise OT9a
  test('Two programs that replace each other’s question under one id leave one that is asked, and each reads which', async () => {
    const id = freshThread();
    await ask({ id, message: 'Deploy 0?' });
    const texts = ['Deploy 1?', 'Deploy 2?', 'Deploy 3?'];
    const put = async (message: string): Promise<number> => {
      const { status, body } = await ask({ id, message, ifChanged: 'replace' });
      if (status !== 503) return body.version ?? 0;
      return put(message);
    };
    const versions = await Promise.all(texts.map(put));
    expect(new Set(versions).size).toBe(texts.length);
    const holds = await rig.store.holds.ofThread(askAgent, askThreadId({ id: 'anna' }, id));
    const open = holds.filter(({ status }) => status === 'open');
    expect(open.map(({ question }) => question.message)).toEqual([texts[versions.indexOf(Math.max(...versions))]]);
    expect((await read(id)).body).toMatchObject({ status: 'waiting', version: Math.max(...versions) });
  });
});

describe('POST /api/ask with what a program says beyond its question', () => {
  const questionOf = async (body: JsonObject): Promise<HoldRow['question'] | undefined> => {
    const id = freshThread();
    expect((await ask({ id, message: 'Pay?', ...body })).status).toBe(202);
    return (await rig.store.holds.ofThread(askAgent, askThreadId({ id: 'anna' }, id)))[0]?.question;
  };

  // Promise OT10
  test('POST /api/ask shows the program’s risk, reasoning and links as its own words, each link with its host', async () => {
    const links = [{ url: 'https://example.org/7', title: 'The invoice' }, { url: 'https://example.org/8' }];
    const beyond = { risk: ' high ', reasoning: 'It is late.', links, expireAfter: '30m' };
    expect(await questionOf(beyond)).toMatchObject({
      stated: { risk: 'high', reasoning: 'It is late.' },
      links: [
        { url: 'https://example.org/7', title: 'The invoice (example.org)' },
        { url: 'https://example.org/8', title: 'example.org' },
      ],
      expireAfter: '30m',
    });
    const long = await questionOf({ risk: 'x'.repeat(200), tool: { name: 'pay' } });
    expect(long?.stated?.risk).toHaveLength(100);
    expect(long?.stated?.reasoning).toContain('x'.repeat(200));
  });

  test('POST /api/ask refuses a link that misleads and a deadline that cannot be met, and says where', async () => {
    const faults: [JsonObject, string][] = [
      [{ links: [{ url: 'https://a.example' }, { url: 'https://bank.example@evil.example/' }] }, 'links.1.url'],
      [{ links: [{ url: 'javascript:alert(1)' }] }, 'links.0.url'],
      [{ expireAfter: 'soon' }, 'expireAfter: expected a duration'],
      [{ expireAfter: '0s' }, 'expireAfter: expected a duration'],
    ];
    for (const [body, detail] of faults) {
      const { status, body: problem } = await ask({ message: 'q', ...body });
      expect([status, problem.detail]).toEqual([400, expect.stringContaining(detail)]);
    }
    expect(starts).toEqual([]);
  });
});
