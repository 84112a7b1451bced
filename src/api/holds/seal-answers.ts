// Replaces secrets in answers by references, before anything is stored or passed on.
import type { JsonObject } from '../../contract/base/json.ts';
import { openValues, sealValues } from '../../host/secrets/sealing.ts';
import type { HoldRow } from '../../store/store.ts';
import { changePayloads } from '../../wire/agui/input/resume-payloads.ts';
import { readRunInput, type RunInput } from '../../wire/agui/input/run-input.ts';
import { answerableHolds, holdOfEntry } from './answers.ts';
import type { SealedReads } from '../api-parts.ts';

type Sealing = SealedReads;
type Asked = Pick<HoldRow, 'holdId' | 'status' | 'question'>;
type Sealed = ReturnType<typeof sealValues>;

/** An answer to a closed question is only compared: nothing would ever open or destroy its sealed secret. */
function sealFor(api: Sealing, { holdId, status, question }: Asked, values: JsonObject): Sealed {
  const sealed = sealValues(api.sealer, { holdId, secrets: question.secrets }, values);
  return status === 'open' ? sealed : { ...sealed, boxes: [] };
}

async function keep({ store }: Sealing, boxes: Sealed['boxes']): Promise<void> {
  await Promise.all(boxes.map((box) => store.seals.put(box)));
}

/** The values with references in place of secrets, whose boxes are kept. A question without secrets costs nothing. */
export async function sealAnswer(api: Sealing, hold: Asked, values: JsonObject): Promise<JsonObject> {
  if (hold.question.secrets.length === 0) return values;
  const sealed = sealFor(api, hold, values);
  await keep(api, sealed.boxes);
  return sealed.values;
}

/** The values as the person gave them, to be checked against the question. */
export function unsealAnswer(api: Sealing, hold: Asked, values: JsonObject): Promise<JsonObject> {
  const asked = { holdId: hold.holdId, secrets: hold.question.secrets };
  return openValues(api.sealer, asked, values, (sealId) => api.store.seals.get(sealId));
}

/** A run whose answers carry no secret any more, nor does the body that is kept; with the questions that were read for it. */
export async function sealRun(
  api: Sealing,
  agent: string,
  input: RunInput,
): Promise<{ input: RunInput; holds?: HoldRow[] }> {
  if (input.resume === null) return { input };
  const holds = await answerableHolds(api, agent, input.threadId, input.resume);
  if (holds.every(({ question }) => question.secrets.length === 0)) return { input, holds };
  const boxes: Sealed['boxes'] = [];
  const body = changePayloads(input.body, (payload, interruptId) => {
    const hold = holdOfEntry(holds, interruptId, input);
    if (hold === undefined) return payload;
    const sealed = sealFor(api, hold, payload);
    boxes.push(...sealed.boxes);
    return sealed.values;
  });
  await keep(api, boxes);
  const read = readRunInput(body);
  return { input: read.ok ? read.input : input, holds };
}
