// What an agent may write anywhere: NUL, half characters, a megabyte, JSON that nests for ever. People are asked all the same.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readShownArtifact } from '../../../src/api/holds/hold-artifacts.ts';
import { checkRun } from '../../rigs/streams/check-run.ts';
import { answer, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';

// A megabyte in many places takes its time.
const supervisor = createSupervisor();
let core: Core;
beforeAll(async () => {
  core = await startCore(supervisor);
});
afterAll(() => (core === undefined ? supervisor.end() : core.stop()));

const nested = (depth: number): unknown => (depth === 0 ? 'bottom' : { in: [nested(depth - 1)] });
const huge = 'ä'.repeat(2 ** 19);
const texts: [string, string][] = [
  ['NUL', 'a\0b'],
  ['half a character', 'a\ud83d'],
  ['the other half', '\ude00b'],
  ['a megabyte', huge],
  ['a direction mark and a newline', '\u202e\r\nb'],
  ['the name of a prototype', '__proto__'],
];

describe('an agent that writes', () => {
  test.each(texts)(
    'an agent that writes %s into its question has it asked, and its answer taken',
    async (_what, text) => {
      const form = { do: 'form', formId: text, title: text, description: text };
      const fields = [
        { name: 'colour', label: text, type: 'select', options: ['green', 'red', text], required: true },
        { name: text, label: text, type: 'text', description: text, default: text },
      ];
      const script = { turns: [[{ ...form, fields, message: text }], [{ do: 'complete', text }]] };
      const task = await core.engine.open(JSON.stringify(script));
      const hold = await task.asked();
      checkRun(await task.log());
      // A form that is too large, or whose fields have no names that can come back, is asked for in words.
      const values = hold.question.kind === 'text' ? { text: 'green' } : { colour: 'green' };
      expect(await task.decide({ ...answer(hold, values), digest: hold.digest })).toMatchObject({ kind: 'answer' });
      expect(await task.status('DONE', 'FAILED')).toMatchObject({ status: 'DONE', error: null });
    },
  );

  test.each(texts)(
    'an agent that writes %s into its artifacts has them shown as they are kept',
    async (_what, text) => {
      const artifacts = [
        {
          artifactId: 'named',
          name: text,
          parts: [{ data: { [text]: text, list: [text] } }],
          metadata: { scope: 'thread' },
        },
        { artifactId: 'said', name: 'said', parts: [{ text }] },
        {
          artifactId: 'placed',
          name: text,
          parts: [{ data: text }],
          metadata: { path: `/view/${text}`, uiKind: text },
        },
      ].map((artifact) => ({ do: 'artifact', artifact, lastChunk: true }));
      const task = await core.engine.open(
        JSON.stringify({ turns: [[...artifacts, { do: 'form' }], [{ do: 'complete' }]] }),
      );
      const hold = await task.asked();
      checkRun(await task.log());
      const shown = hold.artifacts ?? [];
      expect(shown.map(({ id }) => id)).toEqual(expect.arrayContaining(['named', 'said']));
      for (const { id } of shown) expect(await readShownArtifact(core.engine, hold, id)).not.toBeNull();
      await task.decide({ ...answer(hold, { colour: 'green' }), digest: hold.digest });
      expect(await task.status('DONE', 'FAILED')).toMatchObject({ status: 'DONE', error: null });
    },
  );

  // Promise Y15a
  test('JSON that nests for ever is asked about, with what lies too deep left out, and takes no answer for that', async () => {
    const data = nested(500);
    const fields = [{ name: 'colour', type: 'select', options: ['green'], default: data, metadata: data }];
    const artifact = { artifactId: 'deep', name: 'deep', parts: [{ data }], metadata: { data } };
    const script = {
      turns: [
        [
          { do: 'artifact', artifact },
          { do: 'form', fields },
        ],
        [{ do: 'complete' }],
      ],
    };
    const task = await core.engine.open(JSON.stringify(script));
    const hold = await task.asked();
    expect((await readShownArtifact(core.engine, hold, 'deep'))?.body).toContain('nested too deeply');
    const given = await task.decide({ ...answer(hold, { colour: 'green' }), digest: hold.digest });
    const message = expect.stringContaining('is ruled out, as the question says');
    expect(given).toMatchObject({ kind: 'refusal', refusal: { code: 'payload_invalid', message } });
    expect(hold.question.message).toContain('It can be refused, and not approved.');
  });
});
