import type { AguiEvent } from '../../../contract/event.ts';

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
