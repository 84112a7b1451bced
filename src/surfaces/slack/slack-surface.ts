// Slack as an app: messages with buttons, dialogs, and the home tab.
import { LogLevel, WebClient, type WebClientOptions } from '@slack/web-api';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { objectOf } from '../../core/base/json.ts';
import { isOfSlackHome, provedEmail, type SlackHome } from '../../core/policy/proved-email.ts';
import { digestTitle } from '../../core/questions/digest-text.ts';
import type { SurfaceField } from '../../core/questions/surface-question.ts';
import type { ShownQuestion } from '../../core/questions/shown-question.ts';
import { type MessageName, type Recipient, type Surface, SurfaceError } from '../base/surface.ts';
import {
  type Block,
  digestBlocks,
  fallbackText,
  formModal,
  listBlocks,
  maxTextChars,
  questionBlocks,
  reasonModal,
  textBlocks,
} from './slack-blocks.ts';

/** Slack's limits of text blocks, modals and menus. */
const longest = maxTextChars - 500;
const limits = { title: 300, message: longest, args: longest, texts: longest, fields: 10, choices: 100 };

const callForMs = 10_000;
const eventType = 'standfast_message';
const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** Errors of Slack's that a retry does not cure. */
const finalErrors = new Set(
  'account_inactive channel_not_found cant_update_message expired_trigger_id invalid_auth invalid_blocks is_archived message_not_found missing_scope msg_too_long not_authed not_in_channel token_revoked user_not_found users_not_found'.split(
    ' ',
  ),
);

export interface SlackMember {
  email: string | null;
}

export interface SlackSurface extends Surface {
  /** The person with this mail address; null: Slack has none. Throws SurfaceError. */
  personOf(email: string): Promise<string | null>;
  /** Who pressed, in which workspace: their proved mail address; null: no one that Slack proves. Throws SurfaceError. */
  memberOf(person: string, team: string): Promise<SlackMember | null>;
  /** Opens the dialog for a reason; a trigger is good for three seconds. Throws SurfaceError. */
  askReason(trigger: string, question: ShownQuestion): Promise<void>;
  askForm(trigger: string, question: ShownQuestion, fields: readonly SurfaceField[]): Promise<void>;
  /** Tells one person something where they pressed, unseen by others. Throws SurfaceError. */
  tell(place: JsonObject, person: string, text: string): Promise<void>;
  showHome(person: string, questions: readonly ShownQuestion[], hasMore: boolean): Promise<void>;
}

/** What a call of Slack's API says of its failure. */
function faultOf(error: unknown): SurfaceError {
  const { data, retryAfter, code } = error as { data?: { error?: unknown }; retryAfter?: unknown; code?: unknown };
  const name = typeof data?.error === 'string' ? data.error : typeof code === 'string' ? code : 'unknown error';
  const waitMs = typeof retryAfter === 'number' ? retryAfter * 1000 : null;
  return new SurfaceError(`Slack: ${name}`, finalErrors.has(name), waitMs);
}

/** Where this app is installed; read once. */
function homeOf(
  call: (method: string, options: Record<string, unknown>) => Promise<JsonObject>,
): () => Promise<SlackHome> {
  let known: SlackHome | null = null;
  return async () => {
    if (known !== null) return known;
    const { team_id: team, enterprise_id: organisation } = await call('auth.test', {});
    known = { team: textOf(team), organisation: textOf(organisation) };
    return known;
  };
}

export function createSlack(
  { botToken, apiUrl }: { botToken: string; apiUrl: string },
  fetch: NonNullable<WebClientOptions['fetch']>,
): SlackSurface {
  const client = new WebClient(botToken, {
    slackApiUrl: apiUrl,
    fetch,
    timeout: callForMs,
    // Temporal retries, and must learn when.
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    logLevel: LogLevel.ERROR,
  });
  const call = async (method: string, options: Record<string, unknown>): Promise<JsonObject> => {
    try {
      // Safe: Slack answers with JSON.
      return (await client.apiCall(method, options)) as unknown as JsonObject;
    } catch (error) {
      throw faultOf(error);
    }
  };

  const home = homeOf(call);

  async function channelOf(to: Recipient): Promise<string> {
    if ('channel' in to) return to.channel;
    return textOf(objectOf((await call('conversations.open', { users: to.person }))['channel'])['id']);
  }

  /** A message that an unfinished attempt may have sent, found by its metadata. */
  async function sentBefore(
    channel: string,
    thread: string | null,
    { id, begunAt }: MessageName,
  ): Promise<JsonObject | null> {
    if (begunAt === null) return null;
    const oldest = String(Math.floor(Date.parse(begunAt) / 1000) - 60);
    const where = { channel, oldest, limit: 200, include_all_metadata: true };
    const found = await (thread === null
      ? call('conversations.history', where)
      : call('conversations.replies', { ...where, ts: thread }));
    const messages = Array.isArray(found['messages']) ? found['messages'] : [];
    const own = messages
      .map(objectOf)
      .find(({ metadata }) => objectOf(objectOf(metadata)['event_payload'])['id'] === id);
    return own === undefined ? null : { channel, ts: textOf(own['ts']) };
  }

  async function post(channel: string, thread: string | null, name: MessageName, content: object): Promise<JsonObject> {
    const before = await sentBefore(channel, thread, name);
    if (before !== null) return before;
    const metadata = { event_type: eventType, event_payload: { id: name.id } };
    const sent = await call('chat.postMessage', {
      channel,
      ...content,
      metadata,
      unfurl_links: false,
      unfurl_media: false,
      ...(thread !== null && { thread_ts: thread }),
    });
    return { channel: textOf(sent['channel']), ts: textOf(sent['ts']) };
  }

  const contentOf = (question: ShownQuestion): object => ({
    text: fallbackText(question),
    blocks: questionBlocks(question),
  });
  const openView = async (trigger: string, view: Block): Promise<void> =>
    void (await call('views.open', { trigger_id: trigger, view }));

  return {
    limits,
    async show(question, to, name) {
      return post(await channelOf(to), null, name, contentOf(question));
    },
    async find(to, name) {
      return sentBefore(await channelOf(to), null, name);
    },
    async update({ channel = '', ts = '' }, question) {
      await call('chat.update', { channel, ts, ...contentOf(question) });
    },
    async list(digest, to, name) {
      return post(await channelOf(to), null, name, { text: digestTitle(digest), blocks: digestBlocks(digest) });
    },
    reply: ({ channel, ts }, { text }, name) =>
      post(textOf(channel), textOf(ts), name, { text, blocks: textBlocks(text) }),
    async personOf(email) {
      try {
        const user = objectOf((await call('users.lookupByEmail', { email }))['user']);
        return isOfSlackHome(user, await home()) ? textOf(user['id']) || null : null;
      } catch (error) {
        if (error instanceof SurfaceError && error.message === 'Slack: users_not_found') return null;
        throw error;
      }
    },
    async memberOf(person, team) {
      const own = await home();
      const user = objectOf((await call('users.info', { user: person }))['user']);
      // The app may be installed elsewhere, too: a person there may have the id of another one here.
      const isPressedHere = team !== '' && [own.team, own.organisation, user['team_id']].includes(team);
      if (!isPressedHere || user['id'] !== person || !isOfSlackHome(user, own)) return null;
      return { email: provedEmail({ from: 'slack', user, own }) };
    },
    askReason: (trigger, question) => openView(trigger, reasonModal(question)),
    askForm: (trigger, question, fields) => openView(trigger, formModal(question, fields)),
    async tell({ channel = '' }, person, text) {
      await call('chat.postEphemeral', { channel, user: person, text, blocks: textBlocks(text) });
    },
    async showHome(person, questions, hasMore) {
      await call('views.publish', { user_id: person, view: { type: 'home', blocks: listBlocks(questions, hasMore) } });
    },
  };
}
