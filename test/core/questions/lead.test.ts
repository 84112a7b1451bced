import { expect, test } from '@jest/globals';
import { leadOf } from '../../../src/core/consent/headline.ts';
import { agentStackDialect } from '../../../src/wire/a2a/dialects/agentstack/agentstack.ts';
import { plainDialect } from '../../../src/wire/a2a/dialects/plain/plain.ts';

const asks = (message: string, title = 'The agent asks'): string | null =>
  leadOf({ title, hasOwnTitle: false, message, tool: null });

test('a question without a title of its own is known by the first line that says something', () => {
  expect(asks('\n\n## Which **cost centre**?\nIt is urgent.')).toBe('Which cost centre?');
  expect(asks('x'.repeat(500))).toHaveLength(160);
  expect(asks(' \n')).toBeNull();
  expect(asks('To read mail.', 'Frage des Agenten')).toBe('To read mail.');
});

test('a title of the agent’s own is kept, also one that begins like Standfast’s', () => {
  const own = { hasOwnTitle: true, message: 'Now.', tool: null };
  expect(leadOf({ ...own, title: 'Pay?' })).toBeNull();
  expect(leadOf({ ...own, title: 'The agent asks' })).toBeNull();
});

test('a call of a tool is known by its tool, and not by the first line of its message', () => {
  const tool = { callId: 'c', name: 'pay', args: {}, isEditable: false };
  expect(leadOf({ title: 'Approve pay?', hasOwnTitle: false, message: 'May I?', tool })).toBeNull();
});

test('an approval without a title is known by what its agent says of it', () => {
  const uri = 'https://a2a-extensions.agentstack.beeai.dev/interactions/approval/v1';
  const request = { action: 'generic', description: 'Close the account of Miller Ltd' };
  const message = { role: 'agent' as const, messageId: 'm', parts: [], extensions: [], metadata: { [uri]: request } };
  const detected = agentStackDialect.detect({ state: 'input-required', a2aTaskId: 't', message });
  expect(detected.result === 'ok' && detected.questions.map(leadOf)).toEqual(['Close the account of Miller Ltd']);
});

test('a pause in plain words is a question without a title', () => {
  const detected = plainDialect.detect({ state: 'input-required', a2aTaskId: 't', message: null });
  expect(detected.result === 'ok' && detected.questions.map(leadOf)).toEqual([
    'The agent needs an answer to go on, and did not say what it wants to know.',
  ]);
});
