// Reads what Teams sends to a bot: pressed buttons, refreshed cards, messages and installations. Total on any input.
import type { HoldId } from '../../contract/base/id-types.ts';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { objectOf } from '../../core/base/json.ts';
import type { SurfaceCallback } from '../base/surface.ts';

export type TeamsCallback =
  | Exclude<SurfaceCallback, { kind: 'challenge' | 'home' }>
  /** A card is shown to a person. */
  | { kind: 'refresh'; person: string; team: string; holdId: HoldId; digest: string }
  /** The bot was installed, so that it may write first from now on. */
  | { kind: 'arrived'; person: string; team: string };

export interface TeamsActivity {
  /** Of the activity; a repeat has the same. */
  id: string;
  channelId: string;
  serviceUrl: string;
  tenant: string;
  conversation: string;
  isPersonal: boolean;
  /** The person's id in Teams, and their object id in Entra. */
  person: string;
  objectId: string;
  /** The message whose card was shown or pressed; '' for others. */
  replyToId: string;
  callback: TeamsCallback;
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

export function readActivity(body: JsonObject): TeamsActivity {
  const from = objectOf(body['from']);
  const conversation = objectOf(body['conversation']);
  const tenant = objectOf(objectOf(body['channelData'])['tenant']);
  return {
    id: textOf(body['id']),
    channelId: textOf(body['channelId']),
    serviceUrl: textOf(body['serviceUrl']),
    tenant: textOf(tenant['id']) || textOf(conversation['tenantId']),
    conversation: textOf(conversation['id']),
    isPersonal: conversation['conversationType'] === 'personal',
    person: textOf(from['id']),
    objectId: textOf(from['aadObjectId']),
    replyToId: textOf(body['replyToId']),
    callback: callbackOf(body, textOf(from['id']), textOf(tenant['id']) || textOf(conversation['tenantId'])),
  };
}

function callbackOf(body: JsonObject, person: string, team: string): TeamsCallback {
  if (person === '') return { kind: 'other' };
  switch (body['type']) {
    case 'invoke':
      return body['name'] === 'adaptiveCard/action'
        ? pressed(objectOf(body['value']), { person, team })
        : { kind: 'other' };
    case 'message':
      return { kind: 'list', person, team };
    case 'installationUpdate':
      return body['action'] === 'remove' ? { kind: 'other' } : { kind: 'arrived', person, team };
    default:
      return { kind: 'other' };
  }
}

function pressed(value: JsonObject, by: { person: string; team: string }): TeamsCallback {
  const { verb, data, type } = objectOf(value['action']);
  const { h, d, ...inputs } = objectOf(data);
  if (type !== 'Action.Execute' || typeof h !== 'string' || typeof d !== 'string') return { kind: 'other' };
  const about = { ...by, holdId: h, digest: d };
  if (verb === 'refresh') return { kind: 'refresh', ...about };
  if (verb === 'yes' || verb === 'no') return { kind: 'pressed', ...about, choice: verb, place: {} };
  if (verb !== 'reason' && verb !== 'form') return { kind: 'other' };
  const texts = Object.fromEntries(
    Object.entries(inputs).map(([id, given]) => [id.replace(/^field:/, ''), textOf(given)]),
  );
  return { kind: 'submitted', ...about, reason: verb === 'reason' ? (texts['reason'] ?? '') : null, texts };
}
