// What the page says of a permission that is given at another address: what the address asks for, and nothing else.
import { expect, test } from '@jest/globals';
import { permissionWords } from '../../../../web/src/hold/answer/permission.ts';

const words = (query: string): string => permissionWords(new URL(`https://login.example/authorize?${query}`), 'Travel');
const unknown = 'The page of login.example says what it allows, and for how long.';
const rest = 'the page of login.example says for how long.';

test.each([
  ['client_id=travel', unknown],
  ['scope=', unknown],
  ['login_hint=rita', unknown],
  ['scope=calendar.read+mail.read', `Travel asks there for “calendar.read mail.read”; ${rest}`],
  ['scope=calendar.read&login_hint=rita', `Travel asks there for “calendar.read” of “rita”; ${rest}`],
  ['scope=a%E2%80%AEb&login_hint=only+to+read', `Travel asks there for “a[U+202E]b” of “only to read”; ${rest}`],
])('a permission elsewhere is described by its address, %s', (query, sentence) => {
  expect(words(query)).toBe(sentence);
});
