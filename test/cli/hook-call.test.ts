// What a hook's call says to people: no number of it is another one than the agent's program will use.
import { describe, expect, test } from '@jest/globals';
import { askedOf } from '../../src/cli/answer/hook-call.ts';
import { callOf } from '../../src/cli/answer/hook-formats.ts';
import { gateVerdict } from '../../src/core/consent/gate.ts';
import { lostNumbers } from '../../src/core/base/numbers.ts';
import { fc, runs } from '../rigs/properties.ts';

const given = (input: string): string =>
  `{"hook_event_name":"PreToolUse","session_id":"s","tool_use_id":"t","tool_name":"pay","tool_input":${input}}`;
const askedAbout = (input: string): ReturnType<typeof askedOf> => askedOf(callOf(given(input)), undefined);

describe('the call of a coding agent', () => {
  // Promise Y92a
  test('the call of a coding agent with a number that a double does not hold is shown by its digits, and says so', () => {
    const { body, asked } = askedAbout('{"to":{"account":9007199254740993},"amount":5,"huge":1e400}');
    expect(asked.args).toEqual({ to: { account: '9007199254740993' }, amount: 5, huge: '1e400' });
    expect(body).toMatchObject({
      tool: { args: asked.args },
      message: expect.stringContaining('(to/account, huge are numbers that have more digits than a program keeps'),
    });
    const reply = { id: asked.id, status: 'answered', verdict: 'yes', approved: true, by: 'fin' };
    expect(gateVerdict({ ...reply, args: asked.args }, asked)).toMatchObject({ decision: 'allow' });
    const rounded = { ...asked.args, to: { account: 9_007_199_254_740_992 } };
    expect(gateVerdict({ ...reply, args: rounded }, asked)).toMatchObject({ decision: 'deny' });
  });

  // Promise Y92
  test.each<[string, boolean]>([
    ['a command', true],
    ['a question with choices', false],
  ])('the title of a coding agent’s call that is cut has a mark where it was cut: %s', (_what, isCommand) => {
    const asked = (question: string) =>
      `{"hook_event_name":"PreToolUse","session_id":"s","tool_use_id":"t","tool_name":"AskUserQuestion","tool_input":{"questions":[{"question":"${question}","header":"h","multiSelect":false,"options":[{"label":"a","description":""},{"label":"b","description":""}]}]}}`;
    const titleOf = (chars: number): string => {
      const text = 'x'.repeat(chars);
      const call = isCommand ? given(JSON.stringify({ command: text })) : asked(text);
      return (askedOf(callOf(call), undefined).body as { title: string }).title;
    };
    expect(titleOf(100)).toMatch(/x{100}$/);
    expect(titleOf(300)).toMatch(/x…$/);
    expect(Array.from(titleOf(300)).length).toBe(200);
  });

  // Promise Y92a
  test('of any numbers in the call of a coding agent those are shown by their digits that do not survive, and no others', () => {
    const literal = fc
      .tuple(fc.bigInt(), fc.integer({ min: -400, max: 400 }))
      .map(([digits, power]) => `${digits}e${power}`);
    fc.assert(
      fc.property(fc.array(fc.oneof(literal, fc.bigInt().map(String)), { maxLength: 6 }), (numbers) => {
        const input = `{"all":[${numbers.join(',')}]}`;
        const lost = new Set(lostNumbers(input).map(({ path }) => path));
        const shown = askedAbout(input).asked.args?.['all'];
        expect(shown).toEqual(numbers.map((number, at) => (lost.has(`/all/${at}`) ? number : Number(number))));
        expect(JSON.stringify(askedAbout(input).body).includes('more digits')).toBe(lost.size > 0);
      }),
      { numRuns: runs(200) },
    );
  });
});
