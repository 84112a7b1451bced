import type { AguiEvent } from '../../../contract/tasks/run.ts';
import { AGUI_MEDIA_TYPE, EventEncoder } from '@ag-ui/encoder';

/** One SSE frame of an AG-UI event, LF only: CRLF makes AG-UI clients fail. */
export function frame(event: AguiEvent, id?: string): string {
  if (id !== undefined && /[\r\n\0]/.test(id)) throw new TypeError('an SSE id must not contain CR, LF or NUL');
  const head = id === undefined ? '' : `id: ${id}\n`;
  return `${head}data: ${JSON.stringify(event)}\n\n`;
}

/** An SSE comment: keeps the connection alive and is seen by nobody. */
export function comment(text: string): string {
  return `: ${text.replaceAll(/[\r\n]+/g, ' ')}\n\n`;
}

// AG-UI's second transport: events as protobuf, each behind its length (uint32, big-endian). The messages are generated
// from AG-UI's own .proto files, so its encoder writes them: a copy here would drift from the clients' decoder. It
// checks nothing and is asked for this format alone; SSE is written here (`sse-frame.ts`).

/** The content type, without parameters: clients know no other spelling. */
export const binaryMediaType: string = AGUI_MEDIA_TYPE;

type Encodable = Parameters<EventEncoder['encodeProtobuf']>[0];

/** Safe: every event we make is checked against AG-UI's schemas in tests, and the encoder refuses a type it does not know. */
const encodable = (event: AguiEvent): Encodable => event as unknown as Encodable;

/** One protobuf frame of an AG-UI event. */
export function encodeBinaryFrame(event: AguiEvent): Uint8Array {
  // Its `encodeBinary` gives SSE text unless an Accept header was handed over that it likes.
  return new EventEncoder().encodeProtobuf(encodable(event));
}
