// Socket Mode: Slack's callbacks over a connection that Standfast opens, so that it needs no public address.
import { LogLevel } from '@slack/web-api';
import type { WebClientOptions } from '@slack/web-api';
import { SocketModeClient, type SocketModeOptions } from '@slack/socket-mode';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { objectOf } from '../../core/base/json.ts';
import type { SurfaceCallback } from '../base/surface.ts';
import { readCommand, readEvent, readInteraction } from './slack-callback.ts';
import { ownEntry } from '../../core/base/own-entry.ts';

interface Envelope {
  ack: (response?: Record<string, unknown>) => Promise<void>;
  envelope_id: string;
  type: string;
  body: Json;
}

const readers: Record<string, (body: JsonObject) => SurfaceCallback> = {
  interactive: readInteraction,
  slash_commands: readCommand,
  events_api: readEvent,
};

/** Answers callbacks of one app; `id` is the same when Slack delivers one again. */
export type AnswerCallback = (callback: SurfaceCallback, id: string) => Promise<JsonObject | null>;

/** How Slack is reached: its API, and the WebSocket whose address it names. */
export interface SlackNet {
  fetch: NonNullable<WebClientOptions['fetch']>;
  dispatcher: NonNullable<SocketModeOptions['dispatcher']>;
}

export interface SlackConnection {
  /** Settles with the first connection. */
  connected: Promise<unknown>;
  stop(): Promise<void>;
}

/** Connects, and connects again after each loss. */
export function connectSlack(
  { appToken, apiUrl }: { appToken: string; apiUrl: string },
  { fetch, dispatcher }: SlackNet,
  answer: AnswerCallback,
): SlackConnection {
  const client = new SocketModeClient({
    appToken,
    logLevel: LogLevel.ERROR,
    dispatcher,
    clientOptions: { slackApiUrl: apiUrl, fetch, allowAbsoluteUrls: false },
  });
  client.on('slack_event', ({ ack, envelope_id: id, type, body }: Envelope) => {
    const read = ownEntry(readers, type);
    const answered = read === undefined ? Promise.resolve(null) : answer(read(objectOf(body)), id);
    void answered.then((response) => ack(response ?? undefined)).catch(() => undefined);
  });
  return { connected: client.start(), stop: () => client.disconnect() };
}
