import { expect, test } from '@jest/globals';
import { createOperatorClient } from '../../../src/cli/operate/operator-client.ts';

test.each(['standfast.example.org', 'localhost:8600', '', 'ftp://127.0.0.1:8600'])(
  'the address %j is refused in words, and an address that is one is taken',
  (url) => {
    const words = `"${url}" is not an address; expected one such as http://127.0.0.1:8600 (--url, STANDFAST_URL)`;
    expect(() => createOperatorClient({ url, json: false })).toThrow(words);
    expect(() => createOperatorClient({ url: 'http://127.0.0.1:8600', json: false })).not.toThrow();
  },
);

test('an address with a password in it is refused, and the password is not printed', () => {
  const words = 'the address of 127.0.0.1:8600 has a user or a password in it; give a key by STANDFAST_API_KEY';
  expect(() => createOperatorClient({ url: 'http://me:hush@127.0.0.1:8600', json: false })).toThrow(new Error(words));
});
