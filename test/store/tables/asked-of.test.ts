import { describe, expect, test } from '@jest/globals';
import type { Principal } from '../../../src/contract/base/principal.ts';
import { visibleTo, filterOf } from '../../../src/api/inbox/inbox-views.ts';
import { mayDecide, maySee } from '../../../src/core/policy/audience.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { aHold, onEachDatabase } from '../stores.ts';

const openedAt = '2029-01-02T00:00:00.000Z';
const namedAt = { before: '2029-01-01T00:00:00.000Z', later: '2029-01-03T00:00:00.000Z' };
const agent = 'asked-of';

/** Each audience, with and without four eyes, deputies, and somebody who wrote in the task. */
const rows = (): HoldRow[] =>
  [
    ['owner'],
    ['user:anna'],
    ['user:ben'],
    ['role:finance'],
    ['owner', 'user:anna'],
    ['user:olga', 'role:lead'],
  ].flatMap((audience) =>
    [[], ['requester' as const]].flatMap((exclude) =>
      [undefined, 'none' as const].flatMap((deputies) =>
        [undefined, ['anna']].map((requesters) => {
          const plan = { ...aHold().plan, exclude, ...(deputies && { deputies }), ...(requesters && { requesters }) };
          return aHold({ agent, owner: 'olga', audience, plan, openedAt });
        }),
      ),
    ),
  );

const people: Principal[] = ['olga', 'anna', 'ben'].flatMap((id) =>
  [[], ['finance']].flatMap((roles) =>
    [[], ['user:olga'], ['user:anna'], ['user:anna', 'user:olga']].flatMap((alsoFor) =>
      [{}, { 'user:olga': namedAt.before }, { 'user:olga': namedAt.later }].map((since) => ({
        id,
        roles,
        isSuper: false,
        alsoFor: alsoFor.filter((entry) => entry !== `user:${id}`),
        namedAt: since,
      })),
    ),
  ),
);

onEachDatabase(({ store }) => {
  // Promise Y65, Y66
  describe('lists of questions', () => {
    test('lists of questions have for each caller exactly those that they may decide, and may see', async () => {
      const put = await store().holds.putOnce(rows());
      const listed = async (filter: object): Promise<string[]> => {
        const { items } = await store().holds.list({ agent, limit: 200, ...filter });
        return items.map(({ holdId }) => holdId).toSorted();
      };
      for (const principal of people) {
        const among = (may: typeof mayDecide): string[] =>
          put.flatMap((row) => (may(row, principal, row.owner) ? [row.holdId] : [])).toSorted();
        expect([principal, await listed(filterOf('forMe', principal))]).toEqual([principal, among(mayDecide)]);
        expect([principal, await listed(filterOf('team', principal))]).toEqual([principal, among(mayDecide)]);
        expect([principal, await listed(visibleTo(principal))]).toEqual([principal, among(maySee)]);
      }
    });
  });
});
