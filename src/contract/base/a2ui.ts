import type { Json, JsonObject } from './json.ts';

/** Operations on a screen that an agent draws, by their key in a data part: those of A2UI 0.8, and those of 0.9. */
const operationNames = [
  'beginRendering',
  'surfaceUpdate',
  'dataModelUpdate',
  'createSurface',
  'updateComponents',
  'updateDataModel',
  'deleteSurface',
] as const;

/** What a data part has of them: one, or as A2A 1.0 has it a list; none where anything else is in it. */
export function a2uiOperationsIn(data: Json): JsonObject[] {
  const all = Array.isArray(data) ? data : [data];
  const found = all.filter(
    (one): one is JsonObject => typeof one === 'object' && one !== null && operationNames.some((name) => name in one),
  );
  return found.length === all.length ? found : [];
}

/** The surface that an operation names; undefined where it names none. */
export const surfaceIn = (operation: JsonObject): Json | undefined =>
  operationNames
    .map((name) => operation[name])
    .flatMap((given) =>
      typeof given === 'object' && given !== null && !Array.isArray(given) ? [given['surfaceId']] : [],
    )
    .find((id) => typeof id === 'string');
