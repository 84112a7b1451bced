// AG-UI's second transport: events as protobuf, each behind its length (uint32, big-endian). The messages are generated
// from AG-UI's own .proto files, so its encoder writes them: a copy of ours would drift from the clients' decoder. It
// checks nothing and is asked for this format alone; SSE stays ours (`sse-frame.ts`).
import { AGUI_MEDIA_TYPE, EventEncoder } from '@ag-ui/encoder';
import type { AguiEvent } from '../../../contract/event.ts';

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
