// `standfast ask` and `standfast approve`, as a shell runs them, against the api on a real database.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/contract/base/json.ts';
import { askEndOf } from '../../src/core/consent/ask-end.ts';
import type { HoldRow } from '../../src/store/store.ts';
import { aDecision, anEnd, withdrawWhatIsAsked, freshThread, keyConfig, keys, openWhatIsAsked } from '../api/rig.ts';
import { describeApi } from '../api/describe-api.ts';
import { closeSent } from '../rigs/proofs.ts';
import { fc } from '../rigs/properties.ts';
import { askedHold } from '../rigs/store/asked-hold.ts';
import { runInProcess } from '../rigs/product/command.ts';

interface Ran {
  code: number;
  out: string;
  err: string;
}

let url = '';
const files = mkdtempSync(join(tmpdir(), 'standfast-ask-'));
const policies = { finance: { audience: ['role:finance'] } };
const rig = describeApi({
  withKeys: true,
  config: { auth: { keys: keyConfig }, policies, ask: { policy: 'finance' } },
});
beforeAll(async () => {
  openWhatIsAsked(rig);
  url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
});

async function run(args: string[], to = url): Promise<Ran> {
  const ran = await runInProcess([...args, '--url', to, '--api-key', keys.anna]);
  return { ...ran, code: ran.code ?? 0 };
}

const holdOf = (id: string): Promise<HoldRow> => askedHold(rig.store, 'anna', id);
async function end(id: string, status: Parameters<typeof anEnd>[0], decision: HoldRow['decision']): Promise<void> {
  await closeSent(rig.store, (await holdOf(id)).holdId, anEnd(status, decision, null));
}
const says = (id: string, values: JsonObject): Promise<void> => end(id, 'decided', aDecision({ by: 'fin', values }));

describe('standfast approve', () => {
  // Promise TE16
  test('approve ends with 0 on a yes alone, and each other end has an exit code of its own', async () => {
    const call = (id: string, ...more: string[]): Promise<Ran> =>
      run(['approve', '--tool', 'deploy', '--args', '{"version":"1.4"}', '--id', id, ...more]);
    const [yes, no, expired, cancelled] = [freshThread(), freshThread(), freshThread(), freshThread()];
    const all = Promise.all([yes, no, expired, cancelled].map((id) => call(id)));
    expect((await holdOf(yes)).question).toMatchObject({
      kind: 'tool_call',
      tool: { name: 'deploy', args: { version: '1.4' } },
    });
    await says(yes, { approved: true });
    await says(no, { approved: false, reason: 'not on Fridays' });
    await end(expired, 'expired', null);
    await end(cancelled, 'cancelled', null);
    const [first, second, third, fourth] = await all;
    expect(first).toMatchObject({ code: 0, out: '' });
    expect(second).toMatchObject({ code: 1, out: '', err: expect.stringContaining('no, by fin: not on Fridays') });
    expect(third).toMatchObject({ code: 8, out: '', err: expect.stringContaining('has expired') });
    expect(fourth).toMatchObject({ code: 9, out: '', err: expect.stringContaining('was withdrawn') });
    expect((await call(freshThread(), '--wait', '1s')).code).toBe(10);
    // No answer was given to another call under the same name.
    const other = await run(['approve', '--tool', 'deploy', '--args', '{"version":"1.5"}', '--id', yes]);
    expect(other).toMatchObject({ code: 5, err: expect.stringContaining('run_conflict') });
  });

  // Promise TE17
  test('approve says on standard error where people are asked, before they have answered', async () => {
    const id = freshThread();
    const ran = run(['approve', 'Delete the backups?', '--id', id]);
    const { holdId, question } = await holdOf(id);
    expect(question).toMatchObject({ kind: 'confirmation', message: 'Delete the backups?' });
    await says(id, { approved: true });
    expect(await ran).toMatchObject({ code: 0, out: '', err: expect.stringContaining(`/holds/${holdId}`) });
    const waiting = await run(['approve', 'Again?', '--wait', '0s', '--json']);
    expect(waiting.code).toBe(10);
    expect(JSON.parse(waiting.out)).toMatchObject({ status: 'waiting' });
  });

  test('approve prints the arguments that were approved, if people may change them', async () => {
    const id = freshThread();
    const ran = run(['approve', '--tool', 'pay', '--args', '{"amount":4210}', '--editable', '--id', id]);
    await says((await holdOf(id), id), { approved: true, editedArgs: { amount: 42 } });
    expect(await ran).toMatchObject({ code: 0, out: '{"amount":42}\n' });
  });

  // Promise TE18
  test('approve with an id alone waits on for what was asked before', async () => {
    const id = freshThread();
    expect((await run(['approve', 'Publish?', '--id', id, '--wait', '0s'])).code).toBe(10);
    const again = run(['approve', '--id', id]);
    await says(id, { approved: false });
    expect((await again).code).toBe(1);
    expect((await run(['approve', '--id', freshThread()])).code).toBe(3);
  });

  test('approve takes a question back at the end of its wait, if it shall', async () => {
    const id = freshThread();
    withdrawWhatIsAsked(rig);
    expect((await run(['approve', 'Publish?', '--id', id, '--wait', '1s', '--withdraw'])).code).toBe(9);
    expect((await holdOf(id)).status).toBe('cancelled');
  });

  // Promise OT9a
  test('approve takes no yes to what another program asked in the place of its own question, though its arguments are the same', async () => {
    const id = freshThread();
    withdrawWhatIsAsked(rig);
    const asOther = async (body: JsonObject): Promise<void> => {
      const headers = { authorization: `Bearer ${keys.anna}`, 'content-type': 'application/json' };
      const response = await fetch(`${url}/api/ask`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ id, ...body }),
      });
      const { holdId } = (await response.json()) as { holdId: HoldRow['holdId'] };
      await closeSent(rig.store, holdId, anEnd('decided', aDecision({ values: { approved: true } }), null));
    };
    const { newestOf } = rig.store.holds;
    let reads = 0;
    rig.store.holds.newestOf = async (agent, threadIds) => {
      reads += 1;
      // The second is of its first wait, in which the other comes between.
      if (reads === 2) await asOther({ tool: { name: 'delete', args: { name: 'prod' } }, ifChanged: 'replace' });
      return newestOf(agent, threadIds);
    };
    try {
      const ran = await run(['approve', '--tool', 'deploy', '--args', '{"name":"prod"}', '--id', id, '--wait', '20s']);
      expect(ran).toMatchObject({ code: 9, err: expect.stringContaining('was withdrawn') });
    } finally {
      rig.store.holds.newestOf = newestOf;
    }
  });

  test('approve refuses wrong use, keys and addresses with their exit codes', async () => {
    const usage = async (...args: string[]): Promise<string> => {
      const ran = await run(['approve', ...args]);
      expect(ran.code).toBe(2);
      return ran.err;
    };
    expect(await usage()).toContain('expected what is asked, or --id alone');
    // As an approver types it, who wants to decide.
    expect(await usage('91b70a07')).toContain('did you mean decide 91b70a07 --approve?');
    expect(await usage('--tool', 'pay', '--args', '[1]')).toContain('--args: expected a JSON object');
    expect(await usage('--tool', 'pay', '--args', '{"iban":9007199254740993}')).toContain('/iban');
    expect(await usage('--tool', 'pay', '--args', `@${join(files, 'none.json')}`)).toContain('cannot be read');
    expect(await usage('Publish?', '--wait', 'soon')).toContain('--wait');
    expect(await usage('Publish?', '--editable')).toContain('--tool');
    expect((await run(['approve', 'Publish?', '--policy', 'none'])).code).toBe(6);
    const away = await run(['approve', 'Publish?', '--wait', '1s'], 'http://127.0.0.1:1');
    expect(away).toMatchObject({ code: 7, err: expect.stringContaining('no Standfast answers') });
  });
});

describe('standfast ask', () => {
  test('ask prints the values of a form that its options describe', async () => {
    const id = freshThread();
    const fields = ['region:eu|us', 'amount:number', 'note?:text'].flatMap((field) => ['--field', field]);
    const ran = run(['ask', 'Where to?', '--id', id, ...fields, '--default', 'amount=12.5']);
    const { question } = await holdOf(id);
    expect(question).toMatchObject({
      kind: 'form',
      defaults: { amount: 12.5 },
      schema: {
        properties: { region: { enum: ['eu', 'us'] }, amount: { type: 'number' }, note: { type: 'string' } },
        required: ['region', 'amount'],
      },
    });
    await says(id, { region: 'eu', amount: 12.5 });
    expect(await ran).toMatchObject({ code: 0, out: '{"region":"eu","amount":12.5}\n' });
    expect(
      await run(['ask', 'Where to?', '--id', id, ...fields, '--default', 'amount=12.5', '--print', 'region']),
    ).toMatchObject({
      code: 0,
      out: 'eu\n',
    });
  });

  test('ask prints a text as it was written, and reads its schema from a file', async () => {
    const [id, other] = [freshThread(), freshThread()];
    const text = run(['ask', 'Why?', '--id', id]);
    await says((await holdOf(id), id), { text: 'because\nof "it"' });
    expect(await text).toMatchObject({ code: 0, out: 'because\nof "it"\n' });
    const file = join(files, 'schema.json');
    writeFileSync(file, JSON.stringify({ type: 'object', properties: { go: { type: 'boolean' } }, required: ['go'] }));
    const no = run(['ask', 'Go?', '--id', other, '--schema', file]);
    await says((await holdOf(other), other), { go: false });
    expect(await no).toMatchObject({ code: 1, out: '' });
  });

  test('ask refuses a field of no known type, and one that is given twice', async () => {
    for (const fields of [['a:money'], ['a', 'a:number'], [':text'], ['a:|x']])
      expect((await run(['ask', 'What?', ...fields.flatMap((one) => ['--field', one])])).code).toBe(2);
  });
});

describe('the end of a program’s question', () => {
  test('No reply but an answer with a yes to the very question is a yes', () => {
    const word = fc.constantFrom('yes', 'no', 'answered', 'approved', true, null, undefined);
    const reply = fc.record({
      id: fc.constantFrom('one', 'other'),
      version: fc.constantFrom(1, 1, 1, 2, undefined),
      status: fc.constantFrom('waiting', 'answered', 'declined', 'expired', 'withdrawn', 'cancelled', 'toString', null),
      verdict: word,
      approved: fc.constantFrom(true, false, 'true', null),
      args: fc.constantFrom({ a: 1 }, { a: 2 }, {}, null),
    });
    fc.assert(
      fc.property(reply, fc.boolean(), fc.boolean(), (read, isEditable, isTool) => {
        const args = isTool ? { a: 1 } : null;
        const isYes = askEndOf(read, { id: 'one', version: 1, args, isEditable, isDecision: true }) === 'yes';
        const isAnswer =
          read.id === 'one' && read.version === 1 && read.status === 'answered' && read.verdict === 'yes';
        const isThis = read.approved === true && read.args !== null && (isEditable || read.args.a === 1);
        expect(isYes).toBe(isAnswer && (!isTool || isThis));
      }),
      { numRuns: 2_000 },
    );
  });
});
