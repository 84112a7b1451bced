// Two writes of one question at the same moment: one waits for the other's commit, as a retry does for an attempt that stood still.
import { expect, test } from '@jest/globals';
import { Client } from 'pg';
import type { HoldRow, Store, Tables } from '../../../src/store/store.ts';
import { aHold, decidedBy } from '../rows.ts';
import { aTask, eventually, onEachDatabase, onTheSide } from '../stores.ts';

const at = '2029-01-01T00:00:00.000Z';
const step = { audience: ['role:lead'], nextStep: null };

async function opened(store: Store): Promise<HoldRow> {
  const hold = aHold();
  await store.tasks.put(aTask({ taskId: hold.taskId }), at, { title: '', restartOf: null });
  await store.holds.putOnce([hold]);
  return hold;
}

/** What is sent right after a statement like this, before anything else runs. */
function sentTogether(first: RegExp): { stop(): string[] } {
  const prototype = Client.prototype as { query: (...args: unknown[]) => unknown };
  const { query } = prototype;
  const sent: string[] = [];
  let isTogether = false;
  prototype.query = function watched(this: unknown, ...args) {
    const [what] = args as [string | { text?: string }];
    const text = typeof what === 'string' ? what : (what.text ?? '');
    if (isTogether) sent.push(text);
    if (first.test(text)) {
      isTogether = true;
      setImmediate(() => (isTogether = false));
    }
    return query.apply(this, args);
  };
  return {
    stop() {
      prototype.query = query;
      return sent;
    },
  };
}

type Write = (holds: Tables['holds'], hold: HoldRow) => Promise<unknown>;
const writes: Record<string, Write> = {
  'a step': (holds, { holdId }) =>
    holds.step(holdId, { ...step, stepsTaken: 1, done: { at, do: 'escalate', to: ['role:lead'] } }),
  'the same step again': (holds, { holdId }) => holds.step(holdId, { ...step, stepsTaken: 1 }),
  'a change': (holds, { holdId }) => holds.amend(holdId, { audience: ['user:bea'] }),
  'an answer': (holds, { holdId }) => holds.close(holdId, decidedBy('bea')),
};

onEachDatabase(
  ({ store, url }) => {
    test.each(Object.keys(writes))('a step and %s at the same moment alter nothing', async (name) => {
      const hold = await opened(store());
      let commit = (): void => undefined;
      const held = new Promise<void>((resolve) => (commit = resolve));
      const first = store().tx(async ({ holds }) => {
        await writes['a step']?.(holds, hold);
        await held;
      });
      const isWaiting = (count: number) => async (): Promise<boolean> => {
        const waiting = await onTheSide(
          url(),
          `select 1 from pg_stat_activity where datname = current_database()
             and (wait_event_type = 'Lock' or state = 'idle in transaction')`,
        );
        return waiting.length >= count;
      };
      await eventually(isWaiting(1));
      const second = store().tx(async ({ holds }) => writes[name]?.(holds, hold));
      await eventually(isWaiting(2));
      commit();
      await Promise.all([first, second]);
      expect(await store().evidence.check(hold.holdId)).toBe('intact');
    });

    test('a change whose record cannot be written is not made, and the next one is', async () => {
      const hold = await opened(store());
      await onTheSide(url(), 'alter table evidence add constraint never check (seq < 0) not valid');
      await expect(store().holds.close(hold.holdId, decidedBy('bea'))).rejects.toThrow('never');
      expect(await store().holds.get(hold.holdId)).toMatchObject({ status: 'open' });
      await onTheSide(url(), 'alter table evidence drop constraint never');
      expect(await store().holds.close(hold.holdId, decidedBy('bea'))).toMatchObject({ status: 'decided' });
      expect(await store().evidence.check(hold.holdId)).toBe('intact');
    });

    test('the commit is sent with the record: others wait for the end of the chain, not for the turn of this process', async () => {
      const hold = await opened(store());
      const watched = sentTogether(/"evidence" \(seq/);
      await store().holds.close(hold.holdId, decidedBy('bea'));
      expect(watched.stop()).toEqual(['commit']);
    });
  },
  ['postgres'],
);
