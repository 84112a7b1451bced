// What the pictures of the pages show could have happened: who decides is asked, and excluded from nothing.
import { expect, test } from '@jest/globals';
import { officeConfig } from '../rigs/pages/office.ts';
import { sorts } from '../rigs/pages/office-record.ts';

interface Rule {
  audience: readonly string[];
  exclude?: readonly string[];
  quorum?: number;
}

const rules: Record<string, Rule> = officeConfig.policies;
const rolesOf = (user: string): readonly string[] =>
  officeConfig.auth.keys.find((key) => key.user === user)?.roles ?? [];

test.each(sorts)('what agent $agent asks is decided by people whom its policy asks', (sort) => {
  const { audience, exclude = [], quorum = 1 } = rules[sort.policy] ?? { audience: [] };
  const strangers = sort.deciders.filter(
    (by) => !audience.includes(`user:${by}`) && !rolesOf(by).some((role) => audience.includes(`role:${role}`)),
  );
  expect(strangers).toEqual([]);
  if (exclude.includes('requester')) expect(sort.deciders).not.toContain(sort.requester);
  expect(new Set(sort.deciders).size).toBeGreaterThanOrEqual(quorum);
});
