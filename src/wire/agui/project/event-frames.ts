// Events of AG-UI as they are sent: as SSE, or in AG-UI's binary transport, length-prefixed (uint32, big-endian) protobuf.
import type { AguiEvent } from '../../../contract/tasks/run.ts';
import { AGUI_MEDIA_TYPE, EventEncoder } from '@ag-ui/encoder';

/** An AG-UI event as one SSE frame; LF only, because AG-UI clients fail on CRLF. */
export function encodeSseFrame(event: AguiEvent, id?: string): string {
  if (id !== undefined && /[\r\n\0]/.test(id)) throw new TypeError('an SSE id must not contain CR, LF or NUL');
  const head = id === undefined ? '' : `id: ${id}\n`;
  return `${head}data: ${JSON.stringify(event)}\n\n`;
}

/** An SSE comment, used as keep-alive. */
export function sseComment(text: string): string {
  return `: ${text.replaceAll(/[\r\n]+/g, ' ')}\n\n`;
}

/** Media type without parameters, the only form that clients recognise. */
export const binaryMediaType: string = AGUI_MEDIA_TYPE;

type Encodable = Parameters<EventEncoder['encodeProtobuf']>[0];

/** Safe: tests validate every event against AG-UI's schemas, and the encoder rejects unknown types. */
const encodable = (event: AguiEvent): Encodable => event as unknown as Encodable;

/** An AG-UI event as one protobuf frame, by AG-UI’s own encoder: a copy of its messages would drift from that of clients. */
export function encodeBinaryFrame(event: AguiEvent): Uint8Array {
  // `encodeBinary` falls back to SSE text without a matching Accept header.
  return new EventEncoder().encodeProtobuf(encodable(event));
}
