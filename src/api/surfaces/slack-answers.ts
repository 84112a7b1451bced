// What people press in Slack: mapped to a user, and decided like an answer of the page, with the digest shown.
import type { Channel } from '../../contract/configuration/channels.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { StandfastError } from '../../core/base/errors.ts';
import { waitingWords } from '../../core/questions/digest-text.ts';
import type { ShownQuestion } from '../../core/questions/shown-question.ts';
import { yesNoBody } from '../../core/questions/surface-question.ts';
import type { HoldRow } from '../../store/store.ts';
import { SurfaceError, type SurfaceCallback } from '../../surfaces/base/surface.ts';
import { listBlocks } from '../../surfaces/slack/slack-blocks.ts';
import type { SlackSurface } from '../../surfaces/slack/slack-surface.ts';
import type { AnswerCallback } from '../../surfaces/slack/slack-socket.ts';
import { findHold } from '../holds/find-hold.ts';
import {
  bodyOf,
  decideHere,
  decideOnce,
  onlyPage,
  principalHere,
  shownHere,
  staleWords,
  type SurfaceApi,
  unmappedWords,
  waitingHere,
  wordsOf,
} from './surface-answers.ts';
import { errorText } from '../../host/process/errno.ts';

export type SlackChannel = Extract<Channel, { type: 'slack-app' }>;
type Pressed = Extract<SurfaceCallback, { kind: 'pressed' }>;
type Submitted = Extract<SurfaceCallback, { kind: 'submitted' }>;

const unmapped = unmappedWords('Slack profile');

/** What callbacks are answered with: a channel of the configuration, and its app in Slack. */
interface SlackApp {
  api: SurfaceApi;
  name: string;
  channel: SlackChannel;
  slack: SlackSurface;
}

export function createSlackAnswers(
  api: SurfaceApi,
  name: string,
  channel: SlackChannel,
  slack: SlackSurface,
): AnswerCallback {
  return (given, id) =>
    answer({ api, name, channel, slack }, given, id).catch(async (error: unknown) => {
      const why = errorText(error);
      api.log.warn({ channel: name, callback: given.kind, why }, 'a callback of Slack was not answered');
      if (given.kind === 'submitted') return fieldErrors(given, wordsOf(error));
      if (given.kind === 'pressed' && !(error instanceof SurfaceError))
        await slack.tell(given.place, given.person, wordsOf(error)).catch(() => undefined);
      return null;
    });
}

async function answer(app: SlackApp, given: SurfaceCallback, id: string): Promise<JsonObject | null> {
  const { slack } = app;
  if (given.kind === 'challenge') return { challenge: given.challenge };
  if (given.kind === 'other') return null;
  const principal = await principalOf(app, given);
  switch (given.kind) {
    case 'pressed':
      if (principal === null) await slack.tell(given.place, given.person, unmapped);
      else await press(app, given, principal, id);
      return null;
    case 'submitted':
      if (principal === null) return fieldErrors(given, unmapped);
      return submit(app, given, principal, id).catch((error: unknown) => {
        if (!(error instanceof StandfastError)) throw error;
        return fieldErrors(given, wordsOf(error));
      });
    case 'list': {
      if (principal === null) return { response_type: 'ephemeral', text: unmapped };
      const { questions, hasMore } = await waitingHere(app.api, principal, slack.limits);
      const text = `${waitingWords(questions.length)}.`;
      return { response_type: 'ephemeral', text, blocks: listBlocks(questions, hasMore) as unknown as JsonObject[] };
    }
    case 'home': {
      const { questions, hasMore } =
        principal === null ? { questions: [], hasMore: false } : await waitingHere(app.api, principal, slack.limits);
      await slack.showHome(given.person, questions, hasMore);
      return null;
    }
    default:
      return given satisfies never;
  }
}

const shown = ({ api, slack }: SlackApp, hold: HoldRow): Promise<ShownQuestion> => shownHere(api, hold, slack.limits);

/** People of other workspaces are known by the table alone, as `TEAM/USER`. */
async function principalOf(
  { api, channel: { users }, slack }: SlackApp,
  { person, team }: { person: string; team: string },
): Promise<Principal | null> {
  const external = `${team}/${person}`;
  if (Object.hasOwn(users, external))
    return principalHere(api, users, { surface: 'slack', person: external, email: null });
  const member = await slack.memberOf(person, team);
  return member && principalHere(api, users, { surface: 'slack', person, email: member.email });
}

async function press(app: SlackApp, pressed: Pressed, principal: Principal, id: string): Promise<void> {
  const { api, name: channel, slack } = app;
  const { person, holdId, digest, choice, place } = pressed;
  const hold = await findHold(api, holdId, principal);
  const stale = staleWords(api, hold, { digest, shownBy: 'message' });
  if (stale !== null) {
    await refresh(app, hold, place);
    return slack.tell(place, person, stale);
  }
  const trigger = typeof place['trigger'] === 'string' ? place['trigger'] : '';
  const question = await shown(app, hold);
  const { offer } = question;
  if (choice === 'form' && offer.kind === 'form') return slack.askForm(trigger, question, offer.fields);
  if (offer.kind !== 'yes-no' || choice === 'form') return slack.tell(place, person, onlyPage);
  if (choice === 'reason') return slack.askReason(trigger, question);
  const body = yesNoBody(hold, { isYes: choice === 'yes', reason: '', digest });
  if (body === null) return slack.tell(place, person, onlyPage);
  const { isNew, words } = await decideHere(api, hold, body, { channel, source: 'slack', person, principal, id });
  if (!isNew) return;
  await refresh(app, hold, place);
  if (words !== null) await slack.tell(place, person, words);
}

async function submit(
  app: SlackApp,
  submitted: Submitted,
  principal: Principal,
  id: string,
): Promise<JsonObject | null> {
  const { api, name: channel } = app;
  const { person, holdId, digest, reason, texts } = submitted;
  const hold = await findHold(api, holdId, principal);
  const { offer } = await shown(app, hold);
  const body = bodyOf(hold, offer, { digest, reason, texts });
  if (body === null) throw new StandfastError('forbidden', 'this question is decided on its own page only');
  await decideOnce(api, hold, body, { channel, source: 'slack', person, principal, id });
  return null;
}

/** Brings the message up to date at once; where that fails, the notice of what happened does it. */
async function refresh(app: SlackApp, hold: HoldRow, place: JsonObject): Promise<void> {
  const { api, name, slack } = app;
  const now = await api.store.holds.get(hold.holdId);
  if (now === null || place['ts'] === '') return;
  await slack.update(place, await shown(app, now)).catch((error: unknown) => {
    if (!(error instanceof SurfaceError)) throw error;
    api.log.debug({ channel: name, holdId: hold.holdId, why: error.message }, 'a message in Slack was not updated');
  });
}

/** The dialog stays open with these words at its first field. */
function fieldErrors({ reason, texts }: Submitted, text: string): JsonObject {
  const [first = 'reason'] = Object.keys(texts);
  return { response_action: 'errors', errors: { [reason === null ? `field:${first}` : 'reason']: text.slice(0, 140) } };
}
