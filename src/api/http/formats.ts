// How events are written: as SSE, or as protobuf for those who ask for it by name.
import type { AguiEvent } from '../../contract/tasks/run.ts';
import {
  binaryMediaType,
  encodeBinaryFrame,
  sseComment,
  encodeSseFrame,
} from '../../wire/agui/project/event-frames.ts';

/** An event on its way out; by its id a reader comes back to it. */
export interface StreamItem {
  event: AguiEvent;
  id?: string;
}

export interface Format {
  contentType: string;
  write(items: StreamItem[]): string | Uint8Array;
  /** What keeps a silent connection alive and is not shown; null where there is no such thing. */
  heartbeat: string | null;
}

export const sseFormat: Format = {
  contentType: 'text/event-stream; charset=utf-8',
  write: (items) => items.map(({ event, id }) => encodeSseFrame(event, id)).join(''),
  heartbeat: sseComment('ka'),
};

/** Events of the inbox: named, each with its data alone. */
export const inboxFormat: Format = {
  ...sseFormat,
  write: (items) =>
    items
      .map(
        ({ event, id }) =>
          `${id === undefined ? '' : `id: ${id}\n`}event: ${event.type}\ndata: ${JSON.stringify(event['data'])}\n\n`,
      )
      .join(''),
};

const binaryFormat: Format = {
  contentType: binaryMediaType,
  write: (items) => Buffer.concat(items.map(({ event }) => encodeBinaryFrame(event))),
  heartbeat: null,
};

/** The weight that an Accept header gives to a type it names; 0 when it does not name it, wildcards or not. */
function weightOf(accept: string, type: string): number {
  const weights = accept.split(',').flatMap((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    if (name !== type) return [];
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = q === undefined ? 1 : Number(q.slice(2));
    return Number.isFinite(weight) ? [weight] : [];
  });
  return Math.max(0, ...weights);
}

/** SSE unless protobuf is named, and SSE is not liked better: `*` alone asks for nothing in particular. */
export function formatFor(accept: string | undefined): Format {
  const binary = weightOf(accept ?? '', binaryMediaType);
  return binary > 0 && binary >= weightOf(accept ?? '', 'text/event-stream') ? binaryFormat : sseFormat;
}
