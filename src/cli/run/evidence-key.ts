// The Ed25519 seed that signs the evidence chain, stored outside the database.
import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomKey } from '../../host/secrets/hash.ts';
import { headText, type UnsignedHead } from '../../store/evidence/chain.ts';
import { ChainRewrittenError, type SignedHead, type Evidence } from '../../store/ports/evidence.ts';
import { appendFile } from 'node:fs/promises';
import type { Config } from '../../contract/configuration/config.ts';
import { objectOf, parseJson, stringOf } from '../../core/base/json.ts';
import { durationMs } from '../../core/policy/duration.ts';
import type { Egress } from '../../host/net/egress.ts';
import { sendWebhook } from '../../host/net/notice-channels.ts';
import type { WorkerMetrics } from '../../host/metrics/worker-metrics.ts';
import type { Logger } from '../../host/process/log.ts';
import { repeating } from '../../host/process/repeating.ts';
import { timeLimit } from '../../host/process/time-limit.ts';

/** PKCS #8 prefix of an Ed25519 private key, followed by its 32 bytes. */
const seedPrefix = Buffer.from('302e020100300506032b657004220420', 'hex');

const keyOf = (seed: string): KeyObject =>
  createPrivateKey({ key: Buffer.concat([seedPrefix, Buffer.from(seed, 'hex')]), format: 'der', type: 'pkcs8' });

/** The public key as 64 hex digits, for verifiers. */
export const publicKeyOf = (seed: string): string =>
  createPublicKey(keyOf(seed)).export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');

export function createHeadSigner(seed: string): (head: UnsignedHead) => SignedHead {
  const [privateKey, key] = [keyOf(seed), publicKeyOf(seed)];
  return (head) => ({ ...head, key, signature: sign(null, headText(head), privateKey).toString('base64') });
}

/** File where `up` stores signed heads. */
export const headFileIn = (dataDir: string): string => join(dataDir, 'evidence-heads.jsonl');

const fileIn = (dataDir: string): string => join(dataDir, 'evidence-key');

/** The key that `up` created; null when there is none. */
export function readKey(dataDir: string): string | null {
  const file = fileIn(dataDir);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}

/** The key in the data directory of `up`, created at the first start. */
export function keyIn(dataDir: string): string {
  const known = readKey(dataDir);
  if (known !== null) return known;
  const made = randomKey();
  writeFileSync(fileIn(dataDir), `${made}\n`, { mode: 0o600, flag: 'wx' });
  return made;
}

// Signs the head of the evidence chain periodically and delivers it, so that even someone with full database access
// cannot revoke what was signed and is stored elsewhere.
interface HeadSigner {
  /** Signs the latest head once more, then stops. */
  stop(): Promise<void>;
}

/**
 * Undelivered heads are retried with the next one; beyond this limit the oldest are dropped, since later heads cover
 * them.
 */
const maxWaiting = 1_000;

const rewrittenText =
  'the evidence chain is not the one that was signed: it was rewritten, or the database was restored. Nothing is signed until standfast verify --restored; see docs/operate/evidence.md';

type KnownHead = Pick<SignedHead, 'seq' | 'hash' | 'key'>;

/** The newest head of these keys in a file of heads; null if there is none. */
function lastHeadIn(file: string, keys: readonly string[]): KnownHead | null {
  if (!existsSync(file)) return null;
  const heads = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => objectOf(parseJson(line)))
    .map(({ seq, hash, key }) => ({ seq: Number(seq), hash: stringOf(hash), key: stringOf(key) }))
    .filter(({ seq, key }) => keys.includes(key) && Number.isInteger(seq));
  return heads.at(-1) ?? null;
}

interface SignerDeps {
  evidence: Evidence;
  now(): Date;
  egress: Egress;
  log: Logger;
  metrics: Pick<WorkerMetrics, 'refusedSignatures'>;
}

type SignerOptions = { key: string; trust?: string[] } & Pick<Config['evidence'], 'signEvery' | 'file' | 'webhook'>;

export function startHeadSigner(
  { evidence, now, egress, log, metrics }: SignerDeps,
  { key, signEvery, file, webhook, trust = [] }: SignerOptions,
): HeadSigner {
  const signed = createHeadSigner(key);
  const waiting: (SignedHead & { at: string })[] = [];
  /** The newest head that was signed, as far as this process or its file knows. */
  let last = file === undefined ? null : lastHeadIn(file, [publicKeyOf(key), ...trust]);

  async function handOut(head: SignedHead & { at: string }): Promise<void> {
    if (file !== undefined) await appendFile(file, `${JSON.stringify(head)}\n`, { mode: 0o600 });
    if (webhook === undefined) return;
    const message = { id: `head-${head.seq}`, at: now(), payload: { type: 'evidence.head', ...head } };
    const signal = timeLimit(durationMs(signEvery));
    await sendWebhook(webhook, message, { egress, signal });
  }

  async function signNow(): Promise<void> {
    try {
      const head = await evidence.sign(signed, last);
      if (head !== null) waiting.push({ ...head, at: now().toISOString() });
      last = head ?? last;
      waiting.splice(0, waiting.length - maxWaiting);
      for (let [first] = waiting; first !== undefined; [first] = waiting) {
        await handOut(first);
        waiting.shift();
      }
    } catch (error) {
      if (error instanceof ChainRewrittenError) {
        metrics.refusedSignatures.inc();
        log.error({ err: error, ...last }, rewrittenText);
        return;
      }
      log.warn({ err: error }, 'the end of the evidence chain was not signed or handed out; tried again later');
    }
  }

  const signing = repeating(durationMs(signEvery), signNow);
  signing.start();
  return {
    async stop() {
      await signing.stop();
      await signNow();
    },
  };
}
