import { describe, expect, test } from '@jest/globals';
import type { AguiEvent } from '../../../../src/contract/tasks/run.ts';
import type { Json, JsonObject } from '../../../../src/contract/base/json.ts';
import type { NeutralPart } from '../../../../src/contract/tasks/turn.ts';
import { base64Bytes } from '../../../../src/wire/agui/model/media.ts';
import { partsOfRun } from '../../../../src/wire/agui/input/run-messages.ts';
import { turnEvents } from '../../../../src/wire/agui/project/project.ts';
import { anArtifact, chunk, ctx, gives, startLog, status, valueAtPath } from '../scene.ts';

const bytes = (value: string, mimeType: string): JsonObject => ({ type: 'data', value, mimeType });
const every = Buffer.from(Uint8Array.from({ length: 256 }, (_, i) => i)).toString('base64');

const kinds: { kind: string; mimeType: string }[] = [
  { kind: 'image', mimeType: 'image/png' },
  { kind: 'audio', mimeType: 'audio/wav' },
  { kind: 'video', mimeType: 'video/webm' },
  { kind: 'document', mimeType: 'application/pdf' },
];

const inbound = (content: Json[]): NeutralPart[] => partsOfRun({ messages: [{ id: 'u-1', role: 'user', content }] });

/** An agent that gives back what it got, as a message, as a status and as an artifact. */
const echoes: { by: string; echo: (parts: NeutralPart[]) => AguiEvent[] }[] = [
  {
    by: 'a message',
    echo: (parts) => turnEvents(startLog().p, { type: 'message', message: gives('m-1', parts), contextId: null }, ctx),
  },
  { by: 'a status', echo: (parts) => turnEvents(startLog().p, status('working', gives('m-1', parts)), ctx) },
  { by: 'an artifact', echo: (parts) => turnEvents(startLog().p, chunk(anArtifact('a-1', parts)), ctx) },
];
const outbound = (events: AguiEvent[]): Json[] =>
  events.flatMap((event) => (event.type === 'CUSTOM' ? [valueAtPath(event, 'value', 'content') ?? null] : []));

describe.each(kinds)('a file of kind $kind', ({ kind, mimeType }) => {
  test.each(echoes)('a file given as bytes comes back from the agent by $by as the same bytes', ({ echo }) => {
    const part = { type: kind, source: bytes(every, mimeType), metadata: { filename: 'x' } };
    const parts = inbound([part]);
    expect(parts).toEqual([{ kind: 'file', name: 'x', mediaType: mimeType, uri: null, base64: every, metadata: {} }]);
    expect(outbound(echo(parts))).toEqual([part]);
  });

  test.each(echoes)('a file given by address comes back by $by as that address', ({ echo }) => {
    const part = { type: kind, source: { type: 'url', value: 'https://x/y', mimeType } };
    // Named on the way in: there are agents that drop a file without a name.
    const [, subtype] = mimeType.split('/');
    const metadata = { filename: `file-1.${subtype}` };
    expect(outbound(echo(inbound([part])))).toEqual([{ ...part, metadata }]);
  });
});

describe('bytes', () => {
  test.each<{ name: string; source: JsonObject; mediaType: string; base64: string }>([
    { name: 'in the URL alphabet', source: bytes('-_8', 'image/png'), mediaType: 'image/png', base64: '+/8=' },
    {
      name: 'with line breaks',
      source: bytes('QUJD\r\nRA==', 'image/png'),
      mediaType: 'image/png',
      base64: 'QUJDRA==',
    },
    {
      name: 'as a data URL where bytes belong',
      source: bytes('data:image/gif;base64,QUJDRA==', 'image/png'),
      mediaType: 'image/png',
      base64: 'QUJDRA==',
    },
    {
      name: 'as a data URL where an address belongs',
      source: { type: 'url', value: 'data:image/gif;charset=x;base64,QUJDRA==' },
      mediaType: 'image/gif',
      base64: 'QUJDRA==',
    },
  ])('bytes $name are put right', ({ source, mediaType, base64 }) => {
    expect(inbound([{ type: 'image', source }])).toMatchObject([{ mediaType, base64, uri: null }]);
  });

  test('bytes of an unnamed type come back as a document of bytes', () => {
    const parts: NeutralPart[] = [{ kind: 'file', name: '', mediaType: '', uri: null, base64: 'QQ==', metadata: {} }];
    const [{ echo } = { echo: () => [] }] = echoes;
    expect(outbound(echo(parts))).toEqual([
      { type: 'document', source: { type: 'data', value: 'QQ==', mimeType: 'application/octet-stream' } },
    ]);
  });

  test('bytes at a provider cannot be passed on', () => {
    expect(inbound([{ type: 'image', source: { type: 'file', value: 'file-1' } }])).toEqual([]);
  });

  test('bytes are counted as what they mean', () => {
    for (let n = 0; n < 9; n++) expect(base64Bytes(Buffer.alloc(n).toString('base64'))).toBe(n);
  });
});
