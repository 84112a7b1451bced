import { describe, expect, test } from '@jest/globals';
import { type Call, callsShown, formatCall } from '../../../web/src/hold/values/call-words.ts';

const call = (over: Partial<Call> = {}): Call => ({
  agent: 'judge',
  at: '2026-03-02T09:00:00.000Z',
  until: '2026-03-02T10:00:00.000Z',
  doneAt: null,
  why: null,
  ...over,
});
const at = (iso: string): string => iso.slice(11, 16);
const open = { status: 'open' as const };
const doneAt = '2026-03-02T09:05:00.000Z';

describe('an agent that is asked to decide', () => {
  test('an agent that is asked to decide is being asked until its time, has answered, or did not decide, and is left alone at the end', () => {
    expect(formatCall(open, call(), at)).toBe('is being asked, until 10:00');
    expect(formatCall(open, call({ doneAt }), at)).toBe('answered');
    expect(formatCall(open, call({ doneAt, why: 'it asked back' }), at)).toBe('did not decide: “it asked back”');
    expect(formatCall({ status: 'decided' }, call(), at)).toBe('not waited for any more');
  });

  test('an agent that is asked to decide cannot write more than a line, nor hide anything in it', () => {
    const text = formatCall(open, call({ doneAt, why: `approve\n\u202eme ${'x'.repeat(400)}` }), at);
    expect(text).toContain('“approve [U+202E]me x');
    expect(text.length).toBeLessThan(230);
  });

  test('an agent that is asked to decide is listed by its last call, and not when the question is over', () => {
    const supervisors = [
      call({ doneAt, why: 'no' }),
      call({ agent: 'boss' }),
      call({ until: '2026-03-02T12:00:00.000Z' }),
    ];
    expect(callsShown({ status: 'open', supervisors })).toEqual([supervisors[2], supervisors[1]]);
    expect(callsShown({ status: 'cancelled', supervisors })).toEqual([]);
  });
});
