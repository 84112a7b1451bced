import { describe, expect, test } from '@jest/globals';
import { problems } from '../../../src/contract/base/problem.ts';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { armedForMs, press, settleMs } from '../../../web/src/hold/pane/arming.ts';
import {
  dropIntent,
  type Intent,
  isOpen,
  keepIntent,
  keptIntent,
  type Refusal,
  type Sending,
  sendingAfter,
} from '../../../web/src/hold/pane/sending.ts';
import { isNewer, isPassedOnBy, markPassed, passedOnText, standingOf } from '../../../web/src/hold/pane/standing.ts';

describe('a button that asks once more', () => {
  test('arms at the first press and confirms at the second', () => {
    const first = press(null, 'reject', 1_000);
    expect(first.confirmed).toBeNull();
    expect(press(first.armed, 'reject', 1_000 + settleMs)).toEqual({ armed: null, confirmed: 'reject' });
  });

  test('a button that asks once more takes a double click for one press', () => {
    const first = press(null, 'reject', 1_000);
    expect(press(first.armed, 'reject', 1_200).confirmed).toBeNull();
  });

  test('a button that asks once more disarms when another one is pressed: that one is armed then', () => {
    const first = press(null, 'approve', 0);
    expect(press(first.armed, 'reject', 2_000)).toMatchObject({ armed: { what: 'reject' }, confirmed: null });
  });

  test('a button that asks once more is disarmed after eight seconds', () => {
    const { armed } = press(null, 'reject', 0);
    expect(press(armed, 'reject', armedForMs - 1).confirmed).toBe('reject');
    expect(press(armed, 'reject', armedForMs).confirmed).toBeNull();
  });
});

const intent: Intent = {
  by: 'ana',
  holdId: 'h',
  key: 'k-1',
  body: { status: 'resolved', values: { a: 1 }, digest: 'd' },
  sinceMs: 0,
};
const refusal = (code: string): Refusal => ({ code, detail: '', errors: [], data: {}, requestId: 'r-1' });
const sending: Sending = { state: 'sending', intent, attempt: 1 };

describe('a decision on its way', () => {
  test('a decision on its way is recorded only by the server’s word', () => {
    expect(sendingAfter(sending, { what: 'accepted', isStaged: false })).toEqual({
      state: 'recorded',
      intent,
      isStaged: false,
    });
  });

  test.each([null, 'decision_not_confirmed', 'worker_unavailable', 'engine_unavailable', 'busy', 'rate_limited'])(
    'a decision on its way without a result (%s) is sent again under the same key',
    (code) => {
      const failed = {
        what: 'failed',
        refusal: code === null ? null : refusal(code),
        retryAfterMs: 4_000,
        nowMs: 10,
      } as const;
      const waiting = sendingAfter(sending, failed);
      expect(waiting).toMatchObject({ state: 'waiting', atMs: 4_010, code, intent: { key: 'k-1' } });
      expect(sendingAfter(waiting, { what: 'due' })).toEqual({ state: 'sending', intent, attempt: 2 });
    },
  );

  test('a decision on its way locks every other answer until the truth is known', () => {
    const other = { ...intent, key: 'k-2' };
    for (const state of [sending, { state: 'waiting', intent, attempt: 1, atMs: 1, code: null }] as Sending[]) {
      expect(isOpen(state)).toBe(true);
      expect(sendingAfter(state, { what: 'submit', intent: other })).toBe(state);
    }
  });

  test.each(['hold_closed', 'interrupt_expired', 'digest_mismatch', 'payload_invalid', 'not_allowed_to_decide'])(
    'a decision on its way is refused by %s, and may be changed',
    (code) => {
      const refused = sendingAfter(sending, { what: 'failed', refusal: refusal(code), retryAfterMs: null, nowMs: 0 });
      expect(refused).toMatchObject({ state: 'refused', refusal: { code } });
      expect(isOpen(refused)).toBe(false);
    },
  );

  // Promise S42a
  test('a decision on its way is refused, or sent again, by whatever code the server may answer it with', () => {
    const ofOther = [
      'bulk_not_allowed',
      'not_restartable',
      'engram_disabled',
      'engram_mode_unknown',
      'engram_messages',
    ];
    const codes = Object.entries(problems).flatMap(([code, { http }]) => (http !== null && http < 500 ? [code] : []));
    const left = codes.filter((code) => {
      const failed = { what: 'failed', refusal: refusal(code), retryAfterMs: null, nowMs: 0 } as const;
      return sendingAfter(sending, failed).state === 'unknown';
    });
    expect(left.filter((code) => !ofOther.includes(code))).toEqual([]);
  });

  test('a decision on its way that met a fault of the server waits for a person to look again', () => {
    const unknown = sendingAfter(sending, {
      what: 'failed',
      refusal: refusal('internal'),
      retryAfterMs: null,
      nowMs: 0,
    });
    expect(unknown).toMatchObject({ state: 'unknown', requestId: 'r-1' });
    expect(isOpen(unknown)).toBe(true);
  });

  // Promise PK3
  test.each([null, 'worker_unavailable', 'busy', 'rate_limited', 'internal', 'passkey_stopped', 'not_authenticated'])(
    'a decision on its way that was not signed (%s) asks for no signature again, and can be given again',
    (code) => {
      const unsigned: Intent = { ...intent, isToSign: true };
      const failed = {
        what: 'failed',
        refusal: code === null ? null : refusal(code),
        retryAfterMs: null,
        nowMs: 0,
      } as const;
      const refused = sendingAfter({ state: 'sending', intent: unsigned, attempt: 1 }, failed);
      expect(refused).toMatchObject({
        state: 'refused',
        refusal: { code: code === 'not_authenticated' ? code : 'passkey_stopped' },
      });
      expect(isOpen(refused)).toBe(false);
      expect(sendingAfter(refused, { what: 'due' })).toBe(refused);
    },
  );

  // Promise PK3
  test('a decision on its way that was signed is sent again with the same signature', () => {
    const body = { ...intent.body, passkey: { id: 'p', response: {} } } as unknown as Intent['body'];
    const unsigned: Intent = { ...intent, isToSign: true };
    const signed = sendingAfter({ state: 'sending', intent: unsigned, attempt: 1 }, { what: 'signed', body });
    const failed = { what: 'failed', refusal: refusal('busy'), retryAfterMs: null, nowMs: 0 } as const;
    const waiting = sendingAfter(signed, failed);
    expect(waiting).toMatchObject({ state: 'waiting', intent: { key: 'k-1', body } });
    expect(sendingAfter(waiting, { what: 'due' })).toMatchObject({ state: 'sending', attempt: 2, intent: { body } });
  });

  test('a decision on its way outlives a reload with its key, for whom it is of, unless there is a secret in it', () => {
    const kept = new Map<string, string>();
    const shelf = {
      getItem: (key: string): string | null => kept.get(key) ?? null,
      setItem: (key: string, value: string): void => void kept.set(key, value),
      removeItem: (key: string): void => void kept.delete(key),
    };
    keepIntent(shelf, intent, true);
    expect(kept.size).toBe(0);
    keepIntent(shelf, intent, false);
    expect(keptIntent(shelf, 'h', 'ana')).toEqual(intent);
    expect(keptIntent(shelf, 'other', 'ana')).toBeNull();
    expect(keptIntent(shelf, 'h', 'cem')).toBeNull();
    dropIntent(shelf, 'h');
    expect(keptIntent(shelf, 'h', 'ana')).toBeNull();
    shelf.setItem('intent.h', '{broken');
    expect(keptIntent(shelf, 'h', 'ana')).toBeNull();
  });
});

describe('an open page', () => {
  const hold = {
    status: 'open',
    expiresAt: '2026-01-01T12:00:00.000Z',
    digest: 'sha256:a',
    asking: false,
    supersededBy: null,
    ended: null,
  } as unknown as HoldView;
  const noon = Date.parse('2026-01-01T12:00:00.000Z');

  test('an open page locks at nought of the server’s clock and guesses no outcome', () => {
    expect(standingOf(hold, hold, noon - 1)).toEqual({ state: 'open' });
    expect(standingOf(hold, hold, noon)).toEqual({ state: 'time-up' });
  });

  test('an open page shows what changed before it lets anybody decide', () => {
    const next = { ...hold, digest: 'sha256:b' };
    expect(standingOf(hold, next, 0)).toEqual({ state: 'changed', next });
  });

  test('an open page is locked when the question was handed to others, unless it has ended', () => {
    expect(standingOf(hold, hold, 0, true)).toEqual({ state: 'gone' });
    expect(standingOf(hold, { ...hold, status: 'decided' }, 0, true)).toEqual({ state: 'ended' });
  });

  test('an open page says who has it to the reader who passed it on, and to others that it is theirs no more', () => {
    const move = { at: '', by: 'ana', to: ['user:cem'], note: null, credential: null };
    const passed = { ...hold, mayDecide: false, moves: [move], audience: ['user:cem'], requester: 'bob' };
    expect(passedOnText(passed, 'ana')).toBe('You passed it on: cem may decide now. Nothing is decided yet.');
    expect(passedOnText(passed, 'eva')).toBe('This question was passed on to others. You do not decide it any more.');
    expect(isPassedOnBy(passed, 'ana')).toBe(true);
    // It came back, has ended, or was passed on by others since.
    for (const change of [
      { mayDecide: true },
      { status: 'decided' as const },
      { moves: [move, { ...move, by: 'cem' }] },
    ])
      expect(isPassedOnBy({ ...passed, ...change }, 'ana')).toBe(false);
  });

  test('an open page waits while the agent is asked, and leads to the question asked again', () => {
    expect(standingOf(hold, { ...hold, asking: true }, 0)).toEqual({ state: 'asking' });
    expect(standingOf(hold, { ...hold, status: 'withdrawn', supersededBy: 'h2' }, 0)).toEqual({
      state: 'superseded',
      by: 'h2',
    });
  });

  test('an open page is over as soon as the hold is, whatever else changed', () => {
    expect(standingOf(hold, { ...hold, status: 'decided', digest: 'sha256:b' }, noon + 1)).toEqual({ state: 'ended' });
  });

  test('an open page drops what is older than what it shows', () => {
    expect(isNewer({ version: 3 }, { version: 2 })).toBe(false);
    expect(isNewer({ version: 3 }, { version: 3 })).toBe(true);
    expect(isNewer(null, { version: 1 })).toBe(true);
  });

  test('an open page says the time aloud at an hour, ten minutes and one minute, each once', () => {
    const at = (minutes: number): number => noon - minutes * 60_000;
    expect(markPassed(hold.expiresAt, at(60.5), at(59.9))).toBe(3_600_000);
    expect(markPassed(hold.expiresAt, at(10.1), at(9.9))).toBe(600_000);
    expect(markPassed(hold.expiresAt, at(1.1), at(0.9))).toBe(60_000);
    expect(markPassed(hold.expiresAt, at(30), at(29))).toBeNull();
    expect(markPassed(null, 0, 1)).toBeNull();
  });
});
