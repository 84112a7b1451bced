import { expect, test } from '@jest/globals';
import { waitAtMost } from '../rigs/wait-for.ts';

test('a fact that is asked for and never returns is given up, and named', async () => {
  const never = new Promise<true>(() => undefined);
  await expect(waitAtMost(() => never, 50, 'the page to answer')).rejects.toThrow(
    'not within 50 ms: the page to answer; last error: it was asked and has not returned',
  );
});

test('a fact that comes true is returned, also after it has thrown', async () => {
  let asked = 0;
  const fact = (): string | undefined => {
    asked += 1;
    if (asked === 1) throw new Error('not yet');
    return asked === 3 ? 'there' : undefined;
  };
  expect(await waitAtMost(fact, 5_000, 'the third time')).toBe('there');
});
