// The channels by which people are notified. Texts of `describe` are what editors and docs/configuration-keys.md show.
import { z } from 'zod';
import { UserNameSchema, WebAddressSchema, WebhookSecretSchema } from '../base/text-schemas.ts';
import { noticeEvents } from './notice-names.ts';

const TemplateSchema = z.strictObject({
  subject: z
    .string()
    .max(300)
    .optional()
    .describe('Subject, in which `{{title}}` and the like are replaced. Default: its own.'),
  text: z
    .string()
    .max(5000)
    .optional()
    .describe('Text, in which `{{title}}` and the like are replaced. Default: its own.'),
});
const channelBase = {
  on: z
    .array(z.enum(noticeEvents))
    .min(1)
    .default([...noticeEvents])
    .describe('Events that the channel gets.'),
  show: z
    .array(z.enum(['message', 'toolArgs', 'values', 'reason']))
    .default([])
    .describe('Contents of a question that a message may have, in addition to its title and its end.'),
  template: TemplateSchema.optional().describe('Words of the messages. Default: those of Standfast.'),
  decideLinks: z
    .boolean()
    .default(false)
    .describe('Whether a mail has a signed link that decides a yes/no question; the page of the link asks once more.'),
};

/** Slack as an app: people decide there. */
const SlackAppSchema = z
  .strictObject({
    type: z.literal('slack-app').describe('A Slack app, in which people decide.'),
    botToken: z
      .string()
      .regex(/^xoxb-.{4}/s, 'expected the bot token of a Slack app, xoxb-…')
      .describe('Bot token of the app, `xoxb-…`.'),
    signingSecret: z
      .string()
      .min(16)
      .optional()
      .describe(
        'Signing secret of the app, for callbacks to `/surfaces/<channel>/slack`. Default: none, by `appToken`.',
      ),
    appToken: z
      .string()
      .regex(/^xapp-.{4}/s, 'expected the app-level token of a Slack app, xapp-…')
      .optional()
      .describe('App-level token, `xapp-…`, for callbacks by Socket Mode without a public address. Default: none.'),
    channel: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe(
        'Id of the channel in which questions are posted. Default: a direct message to each person who is asked.',
      ),
    thread: z
      .boolean()
      .default(true)
      .describe('Whether the last words of the conversation are put into the thread of a question.'),
    users: z
      .record(z.string().min(1).max(50), UserNameSchema)
      .default({})
      .describe('Users by their Slack id, if mail addresses differ; people of another workspace as `TEAM/USER`.'),
    apiUrl: WebAddressSchema.default('https://slack.com/api/').describe("Address of Slack's Web API."),
    ...channelBase,
  })
  .refine(({ signingSecret, appToken }) => signingSecret !== undefined || appToken !== undefined, {
    message: 'give `signingSecret` for callbacks over HTTP, or `appToken` for Socket Mode',
  });

/** Microsoft Teams by a bot: people decide there. */
const TeamsBotSchema = z.strictObject({
  type: z.literal('teams-bot').describe('A bot in Microsoft Teams, with which people decide.'),
  appId: z.uuid().describe("Id of the bot's app registration."),
  appPassword: z.string().min(8).describe("Secret of the bot's app registration, as `${NAME}`."),
  tenant: z.uuid().describe('Id of the one tenant whose people may decide.'),
  users: z
    .record(z.uuid(), UserNameSchema)
    .default({})
    .describe('Users by their object id in Entra: guests, and people whose mail addresses differ.'),
  tokenUrl: WebAddressSchema.optional().describe(
    'Address that issues tokens for the Bot Connector. Default: that of the tenant.',
  ),
  openIdUrl: WebAddressSchema.default('https://login.botframework.com/v1/.well-known/openidconfiguration').describe(
    'Address of the metadata that names the keys of Bot Framework; the keys are on the same host.',
  ),
  services: z
    .array(WebAddressSchema)
    .min(1)
    .default(['https://smba.trafficmanager.net'])
    .describe('Addresses of the Bot Connector; messages are sent to no other.'),
  ...channelBase,
});

/** Web Push to browsers in which people switched it on. */
const PushSchema = z.strictObject({
  type: z.literal('push').describe('Push notifications to browsers in which people switched them on.'),
  publicKey: z
    .string()
    .regex(/^[A-Za-z0-9_-]{87}$/, 'expected the public VAPID key, 87 characters of base64url')
    .describe('Public VAPID key, as `npx web-push generate-vapid-keys` prints it.'),
  privateKey: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/, 'expected the private VAPID key, 43 characters of base64url')
    .describe('Private VAPID key, as `${NAME}`.'),
  subject: z
    .string()
    .regex(/^(mailto:.+@.+|https:\/\/.+)$/, 'expected mailto:… or https://…')
    .describe('Whom a push service may write to about this sender: `mailto:…` or `https://…`.'),
  decide: z
    .boolean()
    .default(false)
    .describe('Whether a notification that shows a yes/no question whole has buttons; a press asks once more.'),
  ...channelBase,
});

const SlackSchema = z.strictObject({
  type: z.literal('slack').describe('Messages to one channel of Slack, by an incoming webhook.'),
  url: WebAddressSchema.describe('Address of the incoming webhook, as `${NAME}`.'),
  ...channelBase,
});
const TeamsSchema = z.strictObject({
  type: z.literal('teams').describe('Cards in one channel of Microsoft Teams, by a workflow.'),
  url: WebAddressSchema.describe('Address of the workflow “When a Teams webhook request is received”, as `${NAME}`.'),
  ...channelBase,
});
const MailSchema = z.strictObject({
  type: z.literal('mail').describe('Mails to people who are asked, or to fixed addresses.'),
  server: z
    .string()
    .regex(/^smtps?:\/\/./, 'expected smtp://host:port or smtps://host:port')
    .describe('Mail server: `smtp://user:password@host:587`, or `smtps://…`.'),
  from: z.string().min(3).max(200).describe('Sender of the mails.'),
  to: z.array(z.email()).optional().describe('Fixed addresses. Default: those of the users who are asked.'),
  ...channelBase,
});
const WebhookSchema = z.strictObject({
  type: z.literal('webhook').describe('Events for a program.'),
  url: WebAddressSchema.describe('Address that the events are posted to.'),
  secret: WebhookSecretSchema.describe('Secret of Standard Webhooks, `whsec_…`, by which events are signed.'),
  format: z
    .enum(['standard', 'cloudevents'])
    .default('standard')
    .describe('Form of the body: `cloudevents` is a CloudEvent 1.0. It is signed in either case.'),
  ...channelBase,
});

export const ChannelSchema = z.discriminatedUnion('type', [
  SlackSchema,
  SlackAppSchema,
  TeamsBotSchema,
  PushSchema,
  TeamsSchema,
  MailSchema,
  WebhookSchema,
]);
export type Channel = z.infer<typeof ChannelSchema>;
