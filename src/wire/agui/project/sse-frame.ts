import type { AguiEvent } from '../../../contract/tasks/run.ts';
import { AGUI_MEDIA_TYPE, EventEncoder } from '@ag-ui/encoder';

/** An AG-UI event as one SSE frame; LF only, because AG-UI clients fail on CRLF. */
export function frame(event: AguiEvent, id?: string): string {
  if (id !== undefined && /[\r\n\0]/.test(id)) throw new TypeError('an SSE id must not contain CR, LF or NUL');
  const head = id === undefined ? '' : `id: ${id}\n`;
  return `${head}data: ${JSON.stringify(event)}\n\n`;
}

/** An SSE comment, used as keep-alive. */
export function comment(text: string): string {
  return `: ${text.replaceAll(/[\r\n]+/g, ' ')}\n\n`;
}

// AG-UI's binary transport: length-prefixed (uint32, big-endian) protobuf. AG-UI's own encoder writes it, because a
// copy of its generated messages would drift from the clients' decoder.

/** Media type without parameters, the only form that clients recognise. */
export const binaryMediaType: string = AGUI_MEDIA_TYPE;

type Encodable = Parameters<EventEncoder['encodeProtobuf']>[0];

/** Safe: tests validate every event against AG-UI's schemas, and the encoder rejects unknown types. */
const encodable = (event: AguiEvent): Encodable => event as unknown as Encodable;

/** An AG-UI event as one length-prefixed protobuf frame. */
export function encodeBinaryFrame(event: AguiEvent): Uint8Array {
  // `encodeBinary` falls back to SSE text without a matching Accept header.
  return new EventEncoder().encodeProtobuf(encodable(event));
}
