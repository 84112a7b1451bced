// What keys and presses do at the decision bar, over sequences of them at every kind of question.
import { describe, expect, test } from '@jest/globals';
import { fc, runs } from '../../rigs/properties.ts';
import { type Armed, press } from '../../../web/src/hold/pane/arming.ts';
import { type BarKey, buttonOf, isLeft, type Place } from '../../../web/src/hold/decide/bar-keys.ts';

/** A question as its bar has it: which buttons there are, and what each asks for. */
interface Kind {
  /** Ctrl+Enter in the answer's fields sends. */
  hasSend: boolean;
  /** One press of the yes is enough. */
  isDirect: boolean;
  /** Words open with the no, or with both. */
  words: 'none' | 'no' | 'both';
  hasFields: boolean;
}

const kinds = fc.record<Kind>({
  hasSend: fc.boolean(),
  isDirect: fc.boolean(),
  words: fc.constantFrom('none', 'no', 'both'),
  hasFields: fc.boolean(),
});

type Move = { key: BarKey } | { click: 'approve' | 'reject' } | { focus: Place } | { type: string } | { wait: number };

const moves = fc.array(
  fc.oneof<fc.Arbitrary<Move>[]>(
    fc.record({ key: fc.constantFrom<BarKey[]>('a', 'r', 'Enter', 'mod+Enter') }),
    fc.record({ click: fc.constantFrom('approve', 'reject') }),
    fc.record({ focus: fc.constantFrom<Place[]>('answer', 'reason', 'own', 'page') }),
    fc.record({ type: fc.constantFrom('No: wait', ' ') }),
    fc.record({ wait: fc.constantFrom(10, 500, 9_000) }),
  ),
  { maxLength: 25 },
);

interface Sent {
  button: string;
  by: Move;
  place: Place;
  /** What the button was called when it was pressed last. */
  label: string;
  reason: string;
  /** Presses of this button that came right before, this one included. */
  presses: number;
}

/** The bar as the page plays it, from the same table. */
function play(kind: Kind, steps: readonly Move[]): { sent: Sent[]; pressed: Pick<Sent, 'button' | 'place'>[] } {
  let armed = null as Armed | null;
  let place: Place = 'page';
  let reason = '';
  let now = 0;
  let presses = 0;
  const sent: Sent[] = [];
  const pressed: Pick<Sent, 'button' | 'place'>[] = [];
  const hasRow = (): boolean =>
    (armed?.what === 'reject' && kind.words !== 'none') || (armed?.what === 'approve' && kind.words === 'both');
  const isStripped = (): boolean => kind.words === 'no' && reason.trim() !== '';
  const labelOf = (button: string): string =>
    button === 'reject' ? 'reject' : isStripped() ? 'approve without your reason' : 'approve';
  const hit = (button: string, by: Move, isKey: boolean): void => {
    const isDirect = button === 'approve' && kind.isDirect && !isStripped() && armed?.what !== button;
    const isLetter = isKey && 'key' in by && (by.key === 'a' || by.key === 'r');
    if (isLetter && armed?.what === button) return;
    presses = armed?.what === button ? presses + 1 : 1;
    const lasts = button === 'reject' ? kind.words !== 'none' : kind.words === 'both';
    const next = press(armed, button, now, { lasts, by: 'key' in by ? by.key : 'button' });
    const isSent = (isDirect && !isLetter) || next.confirmed === button;
    if (isSent) sent.push({ button, by, place, label: labelOf(button), reason, presses });
    const before = armed?.what;
    armed = isSent ? null : next.armed;
    if (armed?.what === 'reject' && before !== 'reject' && kind.words !== 'none') place = 'reason';
    else if (place === 'reason' && !hasRow()) place = 'page';
  };
  for (const step of steps) {
    now += 1;
    if ('wait' in step) now += step.wait;
    if (armed !== null && now >= armed.untilMs) armed = null;
    if (place === 'reason' && !hasRow()) place = 'page';
    if ('focus' in step) {
      if (step.focus === 'answer' && !kind.hasFields) continue;
      if (step.focus === 'reason' && !hasRow()) continue;
      place = step.focus;
      if (isLeft(place, armed?.what ?? null)) armed = null;
    } else if ('type' in step && place === 'reason') reason += step.type;
    else if ('click' in step) {
      place = 'page';
      hit(step.click, step, false);
    } else if ('key' in step) {
      const button = buttonOf(step.key, place, { armed: armed?.what ?? null, send: kind.hasSend ? 'approve' : null });
      if (button === null) continue;
      pressed.push({ button, place });
      hit(button, step, true);
    }
  }
  return { sent, pressed };
}

const isKey = (move: Move, ...keys: BarKey[]): boolean => 'key' in move && keys.includes(move.key);

describe('keys at the decision bar', () => {
  test('words written for a no are never dropped by a yes, unless a second press says that it drops them', () => {
    fc.assert(
      fc.property(kinds, moves, (kind, steps) => {
        for (const one of play(kind, steps).sent) {
          if (one.button !== 'approve' || one.reason.trim() === '' || kind.words !== 'no') continue;
          expect(one.label).toContain('without your reason');
          expect(one.presses).toBeGreaterThan(1);
        }
      }),
      { numRuns: runs(4_000) },
    );
  });

  test('a key in the field of the reason presses the button next to it, and no other', () => {
    fc.assert(
      fc.property(kinds, moves, (kind, steps) => {
        for (const { place, button } of play(kind, steps).pressed) {
          if (place === 'reason' && kind.words === 'no') expect(button).toBe('reject');
        }
      }),
      { numRuns: runs(4_000) },
    );
  });

  test('a key in a field of the answer never says no, and one in a field with a button of its own decides nothing', () => {
    fc.assert(
      fc.property(kinds, moves, (kind, steps) => {
        for (const { place, button, by } of play(kind, steps).sent) {
          if (!('key' in by)) continue;
          expect(place).not.toBe('own');
          if (place === 'answer') expect(button).toBe('approve');
        }
      }),
      { numRuns: runs(4_000) },
    );
  });

  test('a letter alone decides nothing, and a no always takes two presses', () => {
    fc.assert(
      fc.property(kinds, moves, (kind, steps) => {
        for (const { by, button, presses } of play(kind, steps).sent) {
          expect(isKey(by, 'a', 'r')).toBe(false);
          if (button === 'reject') expect(presses).toBeGreaterThan(1);
        }
      }),
      { numRuns: runs(4_000) },
    );
  });

  test('Ctrl+Enter in the reason rejects, however long it took to write', () => {
    const kind: Kind = { hasSend: true, isDirect: false, words: 'no', hasFields: true };
    const steps: Move[] = [{ key: 'r' }, { type: 'No: wait' }, { wait: 9_000 }, { key: 'mod+Enter' }];
    expect(play(kind, steps).sent).toMatchObject([{ button: 'reject', reason: 'No: wait' }]);
  });
});
