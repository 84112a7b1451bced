import { describe, expect, test } from '@jest/globals';
import { AudienceEntrySchema } from '../../../src/contract/configuration/policy.ts';
import {
  parseActor,
  formatEntry,
  namesOf,
  parseEntry,
  withOwner,
  type AudienceEntry,
} from '../../../src/core/policy/audience-entry.ts';
import { fc, runs } from '../../rigs/properties.ts';

const kinds = ['role', 'user', 'agent'] as const;
const entries: fc.Arbitrary<AudienceEntry> = fc.oneof(
  fc.constant<AudienceEntry>({ kind: 'owner' }),
  fc.record({ kind: fc.constantFrom(...kinds), name: fc.string({ minLength: 1 }) }),
);
/** Texts near to entries: a word, often a colon, often a rest. */
const texts = fc
  .tuple(
    fc.constantFrom('', 'owner', 'role', 'user', 'agent', 'policy', 'roles'),
    fc.constantFrom('', ':', '::'),
    fc.string(),
  )
  .map((parts) => parts.join(''));

describe('an audience entry', () => {
  test('an audience entry is after formatting and parsing what it was', () => {
    fc.assert(
      fc.property(entries, (entry) => expect(parseEntry(formatEntry(entry))).toEqual(entry)),
      {
        numRuns: runs(1000),
      },
    );
  });

  test('an audience entry is read from every text that a policy may have, and written as the same text', () => {
    const isOfPolicies = (text: string): boolean => AudienceEntrySchema.safeParse(text).success;
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(isOfPolicies(text));
        expect(formatEntry(parseEntry(text))).toBe(text);
      }),
      { numRuns: runs(400) },
    );
  });

  test.each(['', 'anna', 'role', 'role:', 'user:', ':anna', 'Owner', 'owner:', 'policy:x', ' role:x', 'roles:x'])(
    'an audience entry is refused when it is the text "%s", with what was found and what was expected',
    (text) => {
      expect(() => parseEntry(text)).toThrow(
        expect.objectContaining({
          code: 'input_invalid',
          message: `found ${JSON.stringify(text)}: expected role:<name>, user:<name>, agent:<name> or owner`,
        }),
      );
      expect(AudienceEntrySchema.safeParse(text).success).toBe(false);
    },
  );

  test('an audience entry keeps colons and blanks in a name, as an identity provider may have them', () => {
    expect(parseEntry('user:urn:x: y')).toEqual({ kind: 'user', name: 'urn:x: y' });
  });

  test('an audience entry is found by its kind among others, and `owner` stands for the user who owns the thread', () => {
    const audience = ['role:finance', 'owner', 'agent:checker', 'user:anna', 'user:owner'];
    expect(namesOf(audience, 'user')).toEqual(['anna', 'owner']);
    expect(namesOf(withOwner(audience, 'olga'), 'user')).toEqual(['olga', 'anna', 'owner']);
  });
});

test.each([
  ['anna', 'person', 'anna'],
  ['user:anna', 'person', 'anna'],
  ['agent:checker', 'agent', 'checker'],
  ['policy:money', 'policy', 'money'],
  ['operator:temporal', 'operator', 'temporal'],
  ['operator', 'operator', 'operator'],
  ['agent', 'person', 'agent'],
  ['urn:idp:anna', 'person', 'urn:idp:anna'],
])('who is recorded as %s is the %s %s', (by, kind, name) => {
  expect(parseActor(by)).toEqual({ kind, name });
});
