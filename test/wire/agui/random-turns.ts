// Turns as an agent might send them, at random: parts that mean something to us, and such that almost do.
import type { Json, JsonObject } from '../../../src/contract/base/json.ts';
import type { NeutralPart, TurnEvent } from '../../../src/contract/tasks/turn.ts';
import { fc } from '../../rigs/properties.ts';
import { anArtifact, aSnapshot, chunk, says, status } from './scene.ts';

export const words = fc.constantFrom('', 'a', 'ab', 'abc', 'b', '€', 'a much longer text of the agent');
const aValue = fc.oneof(words, fc.jsonValue({ maxDepth: 2 })).map((value): Json => JSON.parse(JSON.stringify(value)));
const aCallId = fc.constantFrom('c-1', 'c-1~2', 'm-1', 'adk-7', '');
const aSurfaceId = fc.constantFrom('s-1', 'm-1', 'u-1', 'hitl-a2a-1-1', 'artifact:a2a-1:x', 'ui:a2a-1:x');
/** Parts that mean something to us, and such that almost do. */
const aSign: fc.Arbitrary<Json> = fc.oneof(
  fc.record({ type: fc.constant('tool-call'), id: aCallId, name: fc.constantFrom('pay', ''), arguments: aValue }),
  fc.record({ type: fc.constant('tool-result'), toolCallId: aCallId, payload: aValue }),
  fc.record({ surfaceUpdate: fc.record({ surfaceId: aSurfaceId, n: aValue }) }),
  fc.record({ beginRendering: fc.oneof(aValue, fc.record({ surfaceId: aValue })) }),
  fc.record({ type: fc.constantFrom('tool-call', 'tool-result'), id: aValue, toolCallId: aValue }),
);
/** Parts of an ADK agent's function calls and their responses; its ids are its own, and each is of one call. */
const aFunctionPart: fc.Arbitrary<NeutralPart> = fc
  .tuple(
    fc.constantFrom('adk-1', 'adk-2', 'adk-7', ''),
    fc.constantFrom('function_call', 'function_response'),
    fc.constantFrom<JsonObject>({}, {}, {}, { adk_is_long_running: true }, { 'standfast.interim': true }),
  )
  .map(([id, adk_type, more]) => {
    const name = id === 'adk-2' ? 'adk_request_input' : 'pay';
    return {
      kind: 'data',
      data: { id, name, args: { of: id }, response: `of ${id}` },
      metadata: { adk_type, ...more },
      isOfDialect: true,
    };
  });
const aFile = fc.record({
  kind: fc.constant('file' as const),
  name: words,
  mediaType: fc.constantFrom('', 'a/b', 'image/png', 'IMAGE', '/'),
  uri: fc.constantFrom(null, 'http://x'),
  base64: fc.constantFrom(null, '', 'QQ==', 'not base64'),
  metadata: fc.constant({}),
});
const aPart: fc.Arbitrary<NeutralPart> = fc.oneof(
  fc
    .tuple(words, fc.constantFrom<JsonObject>({}, {}, { thought: true }, { adk_thought: true }))
    .map(([text, metadata]): NeutralPart => ({ kind: 'text', text, metadata })),
  fc.oneof(aValue, aSign).map((data): NeutralPart => ({ kind: 'data', data, metadata: {} })),
  aFunctionPart,
  aFile,
);
const aPath = fc.constantFrom(
  undefined,
  undefined,
  '/view/artifacts/x',
  '/view/artifacts/x/y',
  '/view/config',
  '/view/tasks/z',
);
const some = <T>(...of: T[]): fc.Arbitrary<T | undefined> => fc.constantFrom(undefined, undefined, ...of);
const aMetadata = fc
  .record({
    path: aPath,
    kind: some<Json>('text', 'data', 'file', 3),
    scope: some<Json>('task', 'thread', {}),
    uiKind: some<Json>('chart', 'HITL_FORM', 'a2ui-surface', ['x']),
  })
  .map((metadata): JsonObject => JSON.parse(JSON.stringify(metadata)));
export const artifact = fc
  .tuple(fc.constantFrom('x', 'y', '__proto__', 'a/b'), fc.array(aPart, { maxLength: 3 }), aMetadata)
  .map(([id, parts, metadata]) => anArtifact(id, parts, metadata));
export const aMessage = fc
  .tuple(
    fc.constantFrom('', 'm-1', 'm-2', 'u-1', 'artifact:a2a-1:x', 'reasoning:m-1', 'result:c-1', 's-1', 'c-1'),
    fc.oneof(
      words.map((text) => says('', text).parts),
      fc.array(aPart, { maxLength: 4 }),
    ),
    fc.constantFrom('agent' as const, 'agent' as const, 'user' as const),
  )
  .map(([messageId, parts, role]) => ({ ...says(messageId, ''), parts, role }));
export const aState = fc.constantFrom(
  ...(['submitted', 'working', 'input-required', 'auth-required', 'completed', 'failed', 'unknown'] as const),
);
export const maybe = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(of, { nil: null });
export const snapshot = fc
  .record({
    state: aState,
    message: maybe(aMessage),
    artifacts: fc.array(artifact, { maxLength: 3 }),
    history: fc.array(aMessage, { maxLength: 3 }),
  })
  .map((change): TurnEvent => aSnapshot(change));
const anEvent: fc.Arbitrary<TurnEvent> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(artifact, fc.boolean(), fc.boolean())
      .map(([a, append, lastChunk]) => chunk(a, { append, lastChunk })),
  },
  { weight: 2, arbitrary: fc.tuple(aState, maybe(aMessage)).map(([state, message]) => status(state, message)) },
  { weight: 2, arbitrary: snapshot },
  aMessage.map((message): TurnEvent => ({ type: 'message', message, contextId: null })),
  fc.constant<TurnEvent>({ type: 'unknown', what: 'noise' }),
);
export const someEvents = fc.array(anEvent, { maxLength: 25 });
