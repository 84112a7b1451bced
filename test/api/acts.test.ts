// Every act on a question × ten principals × one and many: the table of acts, whom the api lets do what, and the documents.
import { describe, expect, test } from '@jest/globals';
import { type ActName, actList, acts, type ManyAct, type WhoMay } from '../../src/contract/acts/act-names.ts';
import type { AmendManyReply } from '../../src/contract/acts/acts.ts';
import { actsTable } from '../acts-table.ts';
import { read } from '../source-tree.ts';
import { aDecision, anEnd, bearer, fakeTasks, takeEverything } from './rig.ts';
import { describeTen, named, type Place } from './ten-principals.ts';

/** A letter for each of the ten, as in route-principals.test.ts: who may do it gets in. */
const letters: Record<WhoMay, string> = {
  seers: '---noooono',
  people: '---noooxno',
  deciders: '---nxoxxnx',
  discussers: '---nxooxnx',
  movers: '---nxooxnx',
  bystanders: '---noxxxno',
  waiting: '---noxoxno',
  extenders: '---nxxoxnx',
  undoers: '---noooono',
  owners: '---noxoxno',
  operators: '---nxxoxnx',
};

/** What is sent where an act needs more than its name. */
const bodies: Partial<Record<ActName, object>> = {
  answer: { status: 'resolved', values: { city: 'Rome' } },
  reassign: { to: ['user:ben'] },
  extend: { until: '2040-01-01T00:00:00Z' },
  snooze: { until: '2026-12-31T00:00:00.000Z' },
  comment: { text: 'Who knows more?' },
};
const ofMany: Record<ManyAct, object> = {
  answer: { verdict: 'yes' },
  extend: { until: '2040-01-01T00:00:00Z' },
  reassign: { to: ['user:ben'] },
  cancel: {},
  reapply: {},
};

const { rig, place, lettersOf } = describeTen();
const ofOne = actList.flatMap(({ name, who, one }) => (one === null ? [] : [{ name, who, ...one }]));

describe('an act on a question', () => {
  // Promise U9, PE3
  test.each(ofOne)(
    'an act on a question lets in those of the ten who may: $name',
    async ({ name, who, method, path }) => {
      const request = {
        method,
        path: ({ hold, task }: Place) => path.replace(':id', path.includes('/tasks/') ? task.taskId : hold.holdId),
        body: name in bodies ? () => bodies[name] : undefined,
      };
      // The workflow judges who answers, and here always allows it.
      expect(await lettersOf(request)).toEqual(named(name === 'answer' ? letters.people : letters[who]));
    },
  );

  test.each(Object.keys(ofMany))('an act on many questions is for operators: %s', async (name) => {
    const body = (): object => ({ do: name, ...ofMany[name as ManyAct] });
    const request = { method: 'POST', path: () => '/api/holds/amend?q=nothing-has-this', body };
    expect(await lettersOf(request)).toEqual(named('---xxxoxxx'));
  });

  test.each(ofOne)('an act on a question that is over changes nothing: $name', async ({ name, method, path }) => {
    const { hold, task } = await place();
    await rig.store.holds.close(hold.holdId, anEnd('decided', aDecision(), 'p'));
    if (name === 'cancel' || name === 'comment' || name === 'answer') return;
    const url = path.replace(':id', path.includes('/tasks/') ? task.taskId : hold.holdId);
    const payload = bodies[name] ?? {};
    const response = await rig.app.inject({
      method,
      url,
      headers: bearer('op'),
      ...(method !== 'DELETE' && { payload }),
    });
    expect([response.statusCode, response.json()]).toMatchObject([409, { code: 'hold_closed' }]);
  });

  test('an act on many questions is refused for each by who may do it to one', async () => {
    Object.assign(rig.tasks, fakeTasks());
    takeEverything(rig);
    const { hold } = await place();
    const url = `/api/holds/amend?requester=${hold.owner}`;
    const many = async (payload: object): Promise<AmendManyReply> =>
      (await rig.app.inject({ method: 'POST', url, headers: bearer('op'), payload })).json<AmendManyReply>();
    for (const [name, body] of Object.entries(ofMany)) {
      if (name === 'cancel') continue;
      const act = { do: name, ...body };
      const { set } = await many(act);
      const result = (await many({ ...act, set })).results.find(({ id }) => id === hold.holdId);
      // An operator is not asked: theirs is every act on this question but an answer.
      expect([name, result?.ok]).toEqual([name, name !== 'answer']);
    }
  });

  test('an act on a question that takes another back is named by it', () => {
    const names = new Set<string | null>([null, ...actList.map(({ name }) => name)]);
    expect(actList.filter(({ undoneBy }) => !names.has(undoneBy))).toEqual([]);
    expect(acts.claim.undoneBy).toBe('release');
  });

  test('an act on a question is in docs/access.md as the table has it', () => {
    expect(read('docs/access.md')).toContain(actsTable());
  });
});
