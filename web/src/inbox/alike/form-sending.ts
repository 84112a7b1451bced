// One decision after another, each with its own result; what may have arrived is sent again as it was.
import { useState } from 'react';
import type { DecisionBody } from '../../../../src/contract/holds/decision.ts';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { ApiError, holdApi, send } from '../../base/live/api.ts';
import { strings } from '../../i18n/strings.ts';
import { failureWords, mayHaveArrived, refusedWords } from '../bulk/bulk-state.ts';
import { newId } from '../../base/page/new-id.ts';

export interface FormResult {
  ok: boolean;
  text: string;
}
export type FormResults = ReadonlyMap<string, FormResult>;

interface Sent {
  hold: HoldView;
  /** Null: it cannot be sent so. */
  body: DecisionBody | null;
}

const triesEach = 3;

async function sendOne({ hold, body }: Sent): Promise<FormResult> {
  const words = strings.bulk;
  if (body === null) return { ok: false, text: words.notBulk };
  const idempotencyKey = newId();
  for (let tries = 1; ; tries += 1) {
    try {
      await send('POST', holdApi(hold.id, '/decision'), { ...body, planDigest: hold.planDigest }, { idempotencyKey });
      const isNo =
        body.status === 'cancelled' || (hold.decides !== null && body.values[hold.decides.field] === hold.decides.no);
      return { ok: true, text: isNo ? words.rejected : words.recorded };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (mayHaveArrived(error.status) && tries < triesEach) continue;
      return { ok: false, text: refusedWords(error.code) ?? failureWords(error) };
    }
  }
}

export function useFormSending() {
  const [isSending, setSending] = useState(false);
  const [results, setResults] = useState<FormResults>(new Map());
  /** How many were recorded. */
  const sendAll = async (all: readonly Sent[]): Promise<number> => {
    setSending(true);
    let ok = 0;
    try {
      for (const one of all) {
        const result = await sendOne(one);
        if (result.ok) ok += 1;
        setResults((before) => new Map(before).set(one.hold.id, result));
      }
    } finally {
      setSending(false);
    }
    return ok;
  };
  return { isSending, results, send: sendAll };
}
