// Numbers that a double does not hold are found in the text, before anything reads them as others.
import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../src/contract/base/json.ts';
import { lostNumbers, survives, withDigits } from '../../../src/core/base/numbers.ts';
import { fc, runs } from '../../rigs/properties.ts';

/** A decimal as a fraction of two integers, as JSON writes it or as JavaScript prints a double. */
function fractionOf(literal: string): [bigint, bigint] {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/u.exec(literal) ?? [];
  const power = Number(exponent) - fraction.length;
  const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n);
  return power >= 0 ? [digits * 10n ** BigInt(power), 1n] : [digits, 10n ** BigInt(-power)];
}

function isSameNumber(literal: string): boolean {
  const number = Number(literal);
  if (!Number.isFinite(number)) return false;
  const [[a, b], [c, d]] = [fractionOf(literal), fractionOf(String(number))];
  return a * d === c * b;
}

const digits = (max: number): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^(?:0|[1-9]\\d{0,${max - 1}})$`, 'u'));
const literals = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: digits(40),
    fraction: fc.option(fc.stringMatching(/^\d{1,30}$/u), { nil: undefined }),
    exponent: fc.option(fc.integer({ min: -400, max: 400 }), { nil: undefined }),
    mark: fc.constantFrom('e', 'E', 'e+'),
  })
  .map(({ sign, whole, fraction, exponent, mark }) => {
    const tail = exponent === undefined ? '' : exponent < 0 ? `e${exponent}` : `${mark}${exponent}`;
    return `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${tail}`;
  });

describe('numbers in JSON', () => {
  // Promise Y17
  test('a number survives if and only if the shortest form of its double has the same decimal value', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          literals,
          fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => JSON.stringify(n)),
        ),
        (literal) => {
          expect(survives(literal)).toBe(isSameNumber(literal));
        },
      ),
      { numRuns: runs(5000) },
    );
  });

  test.each([
    ['9007199254740992', true],
    ['9007199254740993', false],
    ['12345678901234567890', false],
    ['0.1', true],
    ['1.50', true],
    ['100000000000000000000', true],
    ['0.30000000000000004', true],
    ['0.3000000000000000444', false],
    ['1e400', false],
    ['1e-400', false],
    ['-0', true],
    ['0.000000000000000000000000', true],
  ])('the number %s survives: %s', (literal, isKept) => {
    expect(survives(literal)).toBe(isKept);
  });

  const json = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      literals,
      fc.string().map((one) => JSON.stringify(one)),
      fc.constantFrom('true', 'null', '"9007199254740993"', '"\\\\"', '"a\\"9007199254740993"'),
      fc.array(tie('value'), { maxLength: 4 }).map((all) => `[${all.join(' , ')}]`),
      fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }).map(
        (all) =>
          `{${Object.entries(all)
            .map(([key, one]) => `${JSON.stringify(key)} : ${one}`)
            .join(',\n')}}`,
      ),
    ),
  })).value;

  const at = (value: Json, path: string): Json | undefined =>
    path
      .split('/')
      .slice(1)
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
      // Safe: whatever is there, a member of it or none.
      .reduce<Json | undefined>((inner, name) => (inner as Record<string, Json> | undefined)?.[name], value);

  // Promise Y17
  test('each number that does not survive is found at its place and kept by its digits, and nothing else is changed', () => {
    fc.assert(
      fc.property(json, (text) => {
        const lost = lostNumbers(text);
        const kept = withDigits(text);
        expect(kept.digits).toStrictEqual(lost.map(({ digits: one }) => one));
        const value: Json = JSON.parse(kept.text);
        for (const { path, digits: one } of lost) expect(at(value, path)).toBe(one);
        expect(lostNumbers(kept.text)).toStrictEqual([]);
        if (lost.length === 0) expect(kept.text).toBe(text);
      }),
      { numRuns: runs(2000) },
    );
  });

  test('a text that is no JSON breaks nothing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[{}[\],:"\\0-9eE.-]{0,60}$/u)), (text) => {
        expect(() => withDigits(`${text}12345678901234567890`)).not.toThrow();
      }),
      { numRuns: runs(1000) },
    );
  });
});
