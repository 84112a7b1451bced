// Chunks of AG-UI: events that begin a message or a tool call where it is new, and go on with it where it is not.
import type { AguiEvent } from '../../contract/tasks/run.ts';
import { stringOf } from '../base/json.ts';

const kinds = {
  TEXT_MESSAGE_CHUNK: { id: 'messageId', begins: 'TEXT_MESSAGE_START', goesOn: 'TEXT_MESSAGE_CONTENT' },
  REASONING_MESSAGE_CHUNK: {
    id: 'messageId',
    begins: 'REASONING_MESSAGE_START',
    goesOn: 'REASONING_MESSAGE_CONTENT',
  },
  TOOL_CALL_CHUNK: { id: 'toolCallId', begins: 'TOOL_CALL_START', goesOn: 'TOOL_CALL_ARGS' },
} as const;
type ChunkType = keyof typeof kinds;

/** What the chunks so far are about; a chunk without an id goes on with it. */
export interface OpenChunk {
  type: ChunkType;
  id: string;
}

const isChunk = (type: string): type is ChunkType => Object.hasOwn(kinds, type);

/** Events that come between the chunks of one message and end none. */
const passing = /^(RAW|CUSTOM|STATE_|ACTIVITY_|STEP_)/;

/** The events that a chunk stands for, any other event as it is, and what a next chunk without an id goes on with. */
export function expandChunk(open: OpenChunk | null, event: AguiEvent): [events: AguiEvent[], open: OpenChunk | null] {
  const { type } = event;
  if (!isChunk(type)) return [[event], passing.test(type) ? open : null];
  const { id: key, begins, goesOn } = kinds[type];
  const goingOn = open?.type === type ? open.id : '';
  const id = stringOf(event[key]) || goingOn;
  // Nothing was begun that it could go on with.
  if (id === '') return [[], null];
  const whole: AguiEvent = { ...event, [key]: id };
  const events = [...(id === goingOn ? [] : [{ ...whole, type: begins }]), { ...whole, type: goesOn }];
  return [typeof event['delta'] === 'string' ? events : events.slice(0, -1), { type, id }];
}
