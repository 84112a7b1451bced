// Reads what Slack sends: interactions, slash commands and events, over HTTP or Socket Mode. Total on any input.
import type { HoldId } from '../../contract/base/id-types.ts';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { objectOf } from '../../core/base/json.ts';
import type { SurfaceCallback } from '../base/surface.ts';
import { ownEntry } from '../../core/base/own-entry.ts';

const other: SurfaceCallback = { kind: 'other' };
const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

function jsonOf(text: string): JsonObject {
  try {
    return objectOf(JSON.parse(text) as Json);
  } catch {
    return {};
  }
}

/** The question and digest in a button's value or a view's metadata; null if they are not Standfast’s. */
function questionOf(text: string): { holdId: HoldId; digest: string } | null {
  const { h, d } = jsonOf(text);
  return typeof h === 'string' && typeof d === 'string' ? { holdId: h, digest: d } : null;
}

/** The workspace of the person, else that of the callback. */
const teamOf = (payload: JsonObject): string =>
  textOf(objectOf(payload['user'])['team_id']) ||
  textOf(objectOf(payload['team'])['id']) ||
  textOf(objectOf(payload['enterprise'])['id']);

const choices: Record<string, 'yes' | 'no' | 'reason' | 'form'> = {
  yes: 'yes',
  no: 'no',
  reason: 'reason',
  form: 'form',
};

function pressed(payload: JsonObject): SurfaceCallback {
  const { actions } = payload;
  const action = objectOf(Array.isArray(actions) ? (actions[0] ?? null) : null);
  const actionId = textOf(action['action_id']);
  const choice = ownEntry(choices, actionId);
  const question = questionOf(textOf(action['value']));
  const person = textOf(objectOf(payload['user'])['id']);
  if (choice === undefined || question === null || person === '') return other;
  const { channel_id: channel, message_ts: ts } = objectOf(payload['container']);
  const place = { trigger: textOf(payload['trigger_id']), channel: textOf(channel), ts: textOf(ts) };
  return { kind: 'pressed', person, team: teamOf(payload), ...question, choice, place };
}

/** The text of one input of a view, whatever its element. */
function inputText(block: JsonObject): string {
  const value = objectOf(block['value']);
  const { type, value: text, selected_option: one, selected_options: several } = value;
  if (type === 'checkboxes') return Array.isArray(several) && several.length > 0 ? 'true' : 'false';
  return type === 'static_select' ? textOf(objectOf(one)['value']) : textOf(text);
}

function submitted(payload: JsonObject): SurfaceCallback {
  const view = objectOf(payload['view']);
  const question = questionOf(textOf(view['private_metadata']));
  const person = textOf(objectOf(payload['user'])['id']);
  if (question === null || person === '') return other;
  const values = Object.entries(objectOf(objectOf(view['state'])['values']));
  const texts = Object.fromEntries(
    values.map(([id, block]) => [id.replace(/^field:/, ''), inputText(objectOf(block))]),
  );
  const isReason = view['callback_id'] === 'reason';
  const team = teamOf(payload);
  return { kind: 'submitted', person, team, ...question, reason: isReason ? (texts['reason'] ?? '') : null, texts };
}

/** An interaction: the JSON of the form's field `payload`, or of Socket Mode's `interactive` envelope. */
export function readInteraction(payload: JsonObject): SurfaceCallback {
  if (payload['type'] === 'block_actions') return pressed(payload);
  return payload['type'] === 'view_submission' ? submitted(payload) : other;
}

/** A slash command: the members of its form. */
export function readCommand(fields: JsonObject): SurfaceCallback {
  const person = textOf(fields['user_id']);
  const team = textOf(fields['team_id']) || textOf(fields['enterprise_id']);
  return person === '' ? other : { kind: 'list', person, team };
}

/** A request of the Events API. */
export function readEvent(body: JsonObject): SurfaceCallback {
  if (body['type'] === 'url_verification') return { kind: 'challenge', challenge: textOf(body['challenge']) };
  const event = objectOf(body['event']);
  const person = textOf(event['user']);
  const team = textOf(body['team_id']) || textOf(body['enterprise_id']);
  return event['type'] === 'app_home_opened' && person !== '' ? { kind: 'home', person, team } : other;
}

/** The body of a signed HTTP request: JSON of an event, or the form of a command or an interaction. */
export function readHttp(body: string, contentType: string): SurfaceCallback {
  if (contentType.startsWith('application/json')) return readEvent(jsonOf(body));
  const form = new URLSearchParams(body);
  const payload = form.get('payload');
  return payload === null ? readCommand(Object.fromEntries(form)) : readInteraction(jsonOf(payload));
}
