// RFC 6902 patches from agents and clients: validated first, then applied with the library that AG-UI's client uses.
import jsonPatch from 'fast-json-patch';
import type { Operation } from 'fast-json-patch';
import { engramLimits } from '../../../contract/views/engram.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { isSafeKey, pointerSegments } from '../../../core/agui/patch.ts';

type Patched = { ok: true; value: Json } | { ok: false; why: string };

/** `copy` and `move` are refused: thirty copies of a list into itself give a billion elements. */
const allowed = new Set(['add', 'remove', 'replace', 'test']);

/** The reason why a patch is refused; null when it is valid. */
export function patchFault(patch: readonly JsonObject[]): string | null {
  if (patch.length > engramLimits.patchOps) return `more than ${engramLimits.patchOps} operations`;
  for (const { op, path, value } of patch) {
    if (typeof op !== 'string' || !allowed.has(op))
      return `the operation ${JSON.stringify(op ?? null)} is not supported`;
    const segments = typeof path === 'string' ? pointerSegments(path) : null;
    if (segments === null) return `${JSON.stringify(path ?? null)} is no JSON pointer`;
    if (!segments.every(isSafeKey)) return `${JSON.stringify(path)} reaches for a prototype`;
    if (op !== 'remove' && value === undefined) return `${op} has no value`;
  }
  return null;
}

/** Applies a patch atomically. */
export function applyPatch(value: Json, patch: readonly JsonObject[]): Patched {
  const fault = patchFault(patch);
  if (fault !== null) return { ok: false, why: fault };
  try {
    // Safe: validated above, and again by the library against the document.
    const operations = patch as unknown as Operation[];
    const { newDocument } = jsonPatch.applyPatch<Json>(value, operations, true, false, true);
    if (JSON.stringify(newDocument).length > engramLimits.valueBytes)
      return { ok: false, why: 'the value becomes too large' };
    return { ok: true, value: newDocument };
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return { ok: false, why: why.slice(0, 200) };
  }
}
