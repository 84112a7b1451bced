// The role of deploy/postgres that appends to the evidence, on a real PostgreSQL.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHeadSigner } from '../../src/cli/run/evidence-key.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { root } from '../source-tree.ts';
import { liveThrough } from '../store/evidence/lives.ts';
import { onEachDatabase, onTheSide } from '../store/stores.ts';

onEachDatabase(
  ({ url }) => {
    // Its role goes before its database does.
    describe('a role that may only append to the evidence', () => {
      // Roles are the server's: each run has its own.
      const role = `standfast_app_${randomBytes(6).toString('hex')}`;
      let own: string;
      let store: Store;

      beforeAll(async () => {
        const address = new URL(url());
        const script = readFileSync(join(root, 'deploy/postgres/after-migrate/evidence-role.sql'), 'utf8')
          .replaceAll('standfast_app', role)
          .replace(":'app_password'", "'secret'")
          .replace(':"DBNAME"', `"${address.pathname.slice(1)}"`);
        // As after an upgrade: the second run changes nothing.
        await onTheSide(url(), script);
        await onTheSide(url(), script);
        address.username = role;
        own = address.href;
        store = await openStore({ databaseUrl: own });
      });
      afterAll(async () => {
        await store?.close();
        await onTheSide(url(), `drop owned by ${role}; drop role ${role}`);
      });

      // Promise E9
      test('a role that may only append to the evidence opens, decides and signs, and the chain verifies', async () => {
        await liveThrough(store);
        expect(await store.evidence.sign(createHeadSigner('e1'.repeat(32)))).not.toBeNull();
        expect((await store.evidence.verify({})).faults).toEqual([]);
      });

      // Promise E9
      test.each([
        `update evidence set record = '{}'`,
        'delete from evidence',
        'truncate evidence',
        'drop table evidence',
        'alter table evidence drop column record',
        'grant update on evidence to current_user',
      ])('a role that may only append to the evidence changes nothing of it by %s', async (statement) => {
        const all = 'select * from evidence order by seq';
        const before = await onTheSide(url(), all);
        expect(before.length).toBeGreaterThan(0);
        const refused = await onTheSide(own, statement).then(() => 'done', String);
        // A grant without the right is a warning.
        expect(refused).toMatch(statement.startsWith('grant') ? /./ : /permission denied|must be owner/);
        const may = `select has_table_privilege('evidence', 'update, delete, truncate') as may`;
        expect(await onTheSide(own, may)).toEqual([{ may: false }]);
        expect(await onTheSide(url(), all)).toEqual(before);
      });
    });
  },
  ['postgres'],
);
