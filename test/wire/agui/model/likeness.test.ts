import { expect, test } from '@jest/globals';
import { additions } from '../../../../src/wire/agui/model/history.ts';
import { likenesses } from '../../../../src/wire/agui/model/likeness.ts';
import type { JsonObject } from '../../../../src/contract/base/json.ts';
import { fc, runs } from '../../../rigs/properties.ts';

/** Word for word as it is meant, for one number of the thread's messages. */
function likeness(theirs: readonly string[], mine: readonly string[]): number {
  const left = theirs.slice(Math.max(0, theirs.length - mine.length));
  let shared = 0;
  for (const one of mine) {
    const at = left.indexOf(one);
    if (at < 0) continue;
    left.splice(at, 1);
    shared += 1;
  }
  const differs = mine.toReversed().findIndex((one, back) => one !== theirs.at(-1 - back));
  return shared * (mine.length + 1) + (differs < 0 ? mine.length : differs);
}

const words = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });

// Promise G28
test('a transcript is as alike to each part of a thread as the rule says, whatever both repeat', () => {
  fc.assert(
    fc.property(words, words, (theirs, mine) => {
      const expected = [0, ...theirs.map((_, at) => likeness(theirs.slice(0, at + 1), mine))];
      expect(likenesses(theirs, mine)).toEqual(expected);
    }),
    { numRuns: runs(2_000) },
  );
});

// Promise G28
test('placing a transcript that says the same again and again reads each message a few times', () => {
  let reads = 0;
  const message = (id: string, role: string, text: string): JsonObject =>
    Object.defineProperty({ id, role }, 'content', {
      enumerable: true,
      get: () => {
        reads += 1;
        return text;
      },
    });
  const conversation = (own: string): JsonObject[] =>
    Array.from({ length: 200 }, (_, at) => [
      message(`${own}-u${at}`, 'user', `go on ${at % 3}`),
      message(`${own}-a${at}`, 'assistant', 'Done.'),
    ]).flat();
  const [log, client] = [conversation('log'), [...conversation('own'), message('new', 'user', 'now something else')]];
  expect(additions(log, client).map(({ id }) => id)).toEqual(['new']);
  expect(reads).toBeLessThan(20 * (log.length + client.length));
});
