// A result that goes on to a workflow of somebody else's, which has no codec key of Standfast's.
import { RawValue } from '@temporalio/common';
import type { JsonObject } from '../contract/base/json.ts';
import { clearMark } from '../core/base/signed-command.ts';

/** The value with a mark for the payload codec: it has its MAC like all others, and is left in clear. */
export function resultForCaller(value: JsonObject): RawValue {
  const { metadata, data } = new RawValue(value).payload;
  return RawValue.fromPayload({ metadata: { ...metadata, [clearMark]: new Uint8Array() }, data: data ?? null });
}
