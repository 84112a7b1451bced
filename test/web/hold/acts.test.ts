// What the page offers of the acts on a question is what the rules allow.
import { describe, expect, test } from '@jest/globals';
import { holdViewOf } from '../../../src/api/holds/hold-view.ts';
import { type ActName, actList } from '../../../src/contract/acts/act-names.ts';
import type { Principal } from '../../../src/contract/base/principal.ts';
import { asActedOn, mayAct } from '../../../src/core/acts/may.ts';
import { isOperator, maySee } from '../../../src/core/policy/audience.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { pageActs } from '../../../web/src/hold/acts/acts.ts';
import { aHoldRow, aPrincipal, openedAt, owner } from '../../rigs/factories.ts';

const plan = aHoldRow().plan;
const readers: Principal[] = [
  aPrincipal(owner),
  aPrincipal('fin', 'finance'),
  aPrincipal('eve', 'finance'),
  aPrincipal('op', 'operator'),
  aPrincipal('both', 'finance', 'operator'),
];
const asked = { audience: ['role:finance'], expiresAt: '2099-01-01T00:00:00.000Z' };
const how = { source: 'rest', seenDigest: null, credential: null, actor: null } as const;
const vote = { ...how, by: 'fin', at: openedAt, values: {}, reason: null, fingerprint: 'x' };
const rows: [string, HoldRow][] = [
  ['an open one', aHoldRow(asked)],
  ['one that may be extended by those asked', aHoldRow({ ...asked, plan: { ...plan, extend: 'asked' } })],
  ['one that is extended by no one', aHoldRow({ ...asked, plan: { ...plan, extend: 'none' } })],
  ['one without a deadline', aHoldRow({ ...asked, expiresAt: null })],
  ['one of its requester', aHoldRow({ ...asked, audience: ['owner'] })],
  ['one that is claimed', aHoldRow({ ...asked, claim: { by: 'fin', at: openedAt } })],
  ['one with a vote', aHoldRow({ ...asked, votes: [vote] })],
  ['one that is over', aHoldRow({ ...asked, status: 'expired' })],
];
/** Those whose offer depends on the reader and on an open question alone. */
const always: ActName[] = ['reassign', 'ask-reassign', 'nudge', 'comment', 'cancel'];

describe('an act that the page offers', () => {
  test.each(rows)('an act that the page offers is one that the rules allow, and none is missing: %s', (_name, row) => {
    for (const reader of readers) {
      if (!maySee(row, reader, row.owner)) continue;
      const view = holdViewOf(row, reader, { request: '', now: openedAt });
      for (const { name } of actList) {
        const isAllowed = mayAct(name, asActedOn(row, reader), reader, row.owner);
        const isOffered = pageActs[name].isOffered(view, { id: reader.id, isOperator: isOperator(reader) });
        if (isOffered) expect([reader.id, name, isAllowed]).toEqual([reader.id, name, true]);
        if (row.status === 'open' && always.includes(name))
          expect([reader.id, name, isOffered]).toEqual([reader.id, name, isAllowed]);
      }
    }
  });
});
