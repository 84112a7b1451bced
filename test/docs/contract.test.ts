// docs/spec/contract.md: each rule of the notes Standfast began from is held by a promise with a test, or departed from by an ADR.
import { describe, expect, test } from '@jest/globals';
import { faultsOfContract, type Known } from './contract-rules.ts';
import { filesBelow, read } from '../source-tree.ts';
import { readMarks, readPromises } from '../../scripts/spec.mjs';

const page = read('docs/spec/contract.md');
const tested = new Set(readMarks().map(({ id }) => id));
const known: Known = {
  promises: new Set(readPromises().flatMap(({ id }) => (tested.has(id) ? [id] : []))),
  adrs: new Set(filesBelow('docs/adr', (path) => path.endsWith('.md')).map((path) => path.replace('docs/adr/', ''))),
};

describe('docs/spec/contract.md', () => {
  test('docs/spec/contract.md has for each rule a promise with a test, or a departure with its ADR', () => {
    expect(faultsOfContract(page, known)).toEqual([]);
  });

  test('docs/spec/contract.md has the five notes', () => {
    expect(page.match(/^## \d{3}: /gm)).toEqual(['## 000: ', '## 001: ', '## 002: ', '## 003: ', '## 004: ']);
  });

  test('each ADR that docs/spec/contract.md departs by says which note it departs from', () => {
    const adrs = [...new Set([...page.matchAll(/\.\.\/adr\/(\d{4}-[a-z0-9-]+\.md)/g)].map(([, file]) => file ?? ''))];
    expect(adrs.length).toBeGreaterThan(5);
    const silent = adrs.filter((file) => !/\bspec\/contract\.md\b/.test(read(`docs/adr/${file}`)));
    expect(silent).toEqual([]);
  });
});

describe('the check of the contract', () => {
  const table = '| note | what | paragraphs |\n| --- | --- | --- |\n| 009 | a note | 2 |\n';
  const held = '- 009 §1.1: A rule that is\n  long. Held by O1.\n';
  const left = '- 009 §1.2a: A rule. Departure: [ADR 9](../adr/0009-a-watcher.md).\n';
  const few: Known = { promises: new Set(['O1']), adrs: new Set(['0009-a-watcher.md']) };

  test('the check of the contract takes a rule that is held, and one that is departed from', () => {
    expect(faultsOfContract(`${table}\n${held}${left}`, few)).toEqual([]);
  });

  test.each([
    ['a rule that has neither', `${held}- 009 §1.2: A rule.\n`, '009 §1.2 has neither a promise nor a departure'],
    ['a promise that no test holds', `${held}- 009 §1.2: A rule. Held by O1, O2.\n`, '009 §1.2: no test holds O2'],
    [
      'a departure without its ADR',
      `${held}- 009 §1.2: A. Departure: [ADR 8](../adr/0008-no.md).\n`,
      '009 §1.2: there is no ADR 8',
    ],
    [
      'a number that is not that of its ADR',
      `${held}- 009 §1.2: A. Departure: [ADR 8](../adr/0009-a-watcher.md).\n`,
      '009 §1.2: there is no ADR 8',
    ],
    ['a paragraph that is left out', held, '009 §1.2 is left out'],
    ['a rule that is there twice', `${held}${left}${left}`, '009 §1.2a is there twice'],
    ['a paragraph that its note does not have', `${held}${left}- 009 §2.1: A. Held by O1.\n`, '009 has no §2.1'],
    [
      'a rule that is listed as none',
      `${held}${left}\n- 009 §1.2\n`,
      '009 §1.2 has a rule, and is listed as having none',
    ],
  ])('the check of the contract finds %s', (_what, rules, fault) => {
    expect(faultsOfContract(`${table}\n${rules}`, few)).toContain(fault);
  });

  test('the check of the contract takes a paragraph that is listed as having no rule', () => {
    expect(faultsOfContract(`${table}\n${held}\n- 009 §1.2\n`, few)).toEqual([]);
  });
});
