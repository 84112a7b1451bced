// Questions at a terminal, over a keyboard whose letters come when the test says so.
import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { createPrompt } from '../../../src/cli/operate/terminal.ts';

function terminal(): { ask: NonNullable<ReturnType<typeof createPrompt>>; type(text: string): void; shown(): string } {
  let shown = '';
  const input = Object.assign(new PassThrough(), { isTTY: true, isRaw: false, setRawMode: () => input });
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 200, rows: 50 });
  output.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  // Safe: what readline asks of a terminal is there.
  const ask = createPrompt(input as unknown as NodeJS.ReadStream, output as unknown as NodeJS.WriteStream);
  if (ask === null) throw new Error('there is no prompt');
  return { ask, type: (text) => void input.write(text), shown: () => shown };
}

// Promise TE9
describe('a question at a terminal', () => {
  test('a question at a terminal is answered by lines that were typed ahead or pasted, in their order', async () => {
    const { ask, type, shown } = terminal();
    const first = ask('Approve? ');
    type('n\ntoo dear\nlast\n');
    expect(await first).toBe('n');
    expect(await ask('Reason: ')).toBe('too dear');
    expect(await ask('More: ')).toBe('last');
    expect(shown()).toContain('Reason: too dear\n');
  });

  test('a question at a terminal begins with what was typed of its answer before it was asked', async () => {
    const { ask, type } = terminal();
    const first = ask('Amount: ');
    type('84.50\nlun');
    expect(await first).toBe('84.50');
    const second = ask('Purpose: ');
    type('ch\n');
    expect(await second).toBe('lunch');
  });

  test('a question for a secret at a terminal shows nothing of a line that was typed ahead', async () => {
    const { ask, type, shown } = terminal();
    const first = ask('Token: ', { isSecret: true });
    type('one\ntwo\n');
    expect(await first).toBe('one');
    expect(await ask('Again: ', { isSecret: true })).toBe('two');
    expect(shown()).not.toMatch(/one|two/u);
  });
});
