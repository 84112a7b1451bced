import { expect, test } from '@jest/globals';
import { leadOf } from '../../../src/core/questions/subject.ts';
import { plainDialect } from '../../../src/wire/a2a/dialects/plain/plain.ts';

const asks = (message: string): string | null => leadOf({ title: 'The agent asks', message });

test('a question without a title of its own is known by the first line that says something', () => {
  expect(asks('\n\n## Which **cost centre**?\nIt is urgent.')).toBe('Which cost centre?');
  expect(asks('x'.repeat(500))).toHaveLength(160);
  expect(asks(' \n')).toBeNull();
  expect(leadOf({ title: 'The agent asks for authorisation', message: 'To read mail.' })).toBe('To read mail.');
});

test('a title of the agent’s own stands, also one that begins like Holdpoint’s', () => {
  expect(leadOf({ title: 'Pay?', message: 'Now.' })).toBeNull();
  expect(leadOf({ title: 'The agent asks you to pay', message: 'Now.' })).toBeNull();
});

test('a pause in plain words is a question without a title', () => {
  const detected = plainDialect.detect({ state: 'input-required', a2aTaskId: 't', message: null });
  expect(detected.result === 'ok' && detected.questions.map(leadOf)).toEqual([
    'The agent needs an answer to go on, and did not say what it wants to know.',
  ]);
});
