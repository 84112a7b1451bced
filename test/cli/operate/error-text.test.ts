import { AssertionError } from 'node:assert';
import { describe, expect, test } from '@jest/globals';
import { CommandError, errorText } from '../../../src/cli/operate/command-error.ts';
import { StartError } from '../../../src/cli/run/startup-output.ts';

class OwnError extends Error {
  override name = 'OwnError';
}

describe('an error of a command', () => {
  test.each([new StartError('no port'), new CommandError('notFound', 'no task'), new OwnError('no'), new Error('no')])(
    'an error of a command that is for people is its message: %s',
    (error) => {
      expect(errorText(error)).toBe(error.message);
    },
  );

  test.each([
    new TypeError('x is not a function'),
    new RangeError('Invalid array length'),
    new ReferenceError('x is not defined'),
    new SyntaxError('Unexpected token'),
    new URIError('URI malformed'),
    new EvalError('no'),
    new AssertionError({ message: 'no' }),
  ])('an error of a command that is a fault of the program names its place: %s', (error) => {
    expect(errorText(error)).toContain('error-text.test.ts');
  });
});
