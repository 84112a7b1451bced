// Signs the end of the evidence chain from time to time and hands it out: whoever can write all of the database cannot take
// back what was signed and is kept elsewhere.
import { appendFile } from 'node:fs/promises';
import type { Config } from '../../contract/config.ts';
import { durationMs } from '../../core/policy/duration.ts';
import type { Egress } from '../../host/net/egress.ts';
import { sendWebhook } from '../../host/net/notice-channels.ts';
import type { Logger } from '../../host/process/log.ts';
import type { Evidence, SignedHead } from '../../store/ports/evidence.ts';
import { createHeadSigner } from './evidence-key.ts';

export interface HeadSigner {
  /** Signs once more, for what came last. */
  stop(): Promise<void>;
}

/** Heads that did not get out are tried again with the next one; of more the oldest go, as later ones vouch for them. */
const maxWaiting = 1_000;

export function startHeadSigner(
  { evidence, egress, log }: { evidence: Evidence; egress: Egress; log: Logger },
  { key, signEvery, file, webhook }: { key: string } & Pick<Config['evidence'], 'signEvery' | 'file' | 'webhook'>,
): HeadSigner {
  const signed = createHeadSigner(key);
  const waiting: (SignedHead & { at: string })[] = [];
  let work = Promise.resolve();

  async function handOut(head: SignedHead & { at: string }): Promise<void> {
    if (file !== undefined) await appendFile(file, `${JSON.stringify(head)}\n`, { mode: 0o600 });
    if (webhook === undefined) return;
    const message = { id: `head-${head.seq}`, at: new Date(), payload: { type: 'evidence.head', ...head } };
    const signal = AbortSignal.timeout(durationMs(signEvery));
    await sendWebhook(webhook, message, { egress, signal });
  }

  async function signNow(): Promise<void> {
    try {
      const head = await evidence.sign(signed);
      if (head !== null) waiting.push({ ...head, at: new Date().toISOString() });
      waiting.splice(0, waiting.length - maxWaiting);
      for (let [first] = waiting; first !== undefined; [first] = waiting) {
        await handOut(first);
        waiting.shift();
      }
    } catch (error) {
      log.warn({ err: error }, 'the end of the evidence chain was not signed or handed out; tried again later');
    }
  }

  const next = (): Promise<void> => (work = work.then(signNow));
  const timer = setInterval(() => void next(), durationMs(signEvery));
  return {
    stop() {
      clearInterval(timer);
      return next();
    },
  };
}
