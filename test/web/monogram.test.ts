import { expect, test } from '@jest/globals';
import { hueOf, spreadHues } from '../../web/src/base/account/hues.ts';

const agents = [
  'expenses',
  'refunds',
  'mailbox',
  'adk-python',
  'forms',
  'tools',
  'files',
  'langchain',
  'sorted',
  'stream',
];

test('no two agents have one colour while another is free, and each keeps its own whatever their order', () => {
  const hues = spreadHues(agents.slice(0, 8));
  expect(new Set(hues.values()).size).toBe(8);
  expect(spreadHues(agents.slice(0, 8).toReversed())).toEqual(hues);
});

test('of more agents than colours none is given a third time before all are given twice', () => {
  const given = [...spreadHues(agents).values()];
  expect(Math.max(...given.map((hue) => given.filter((one) => one === hue).length))).toBe(2);
});

test('a single one has the colour of its name', () => {
  expect(spreadHues(['expenses']).get('expenses')).toBe(hueOf('expenses'));
});
