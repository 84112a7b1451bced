// Standfast as attackers find it: both roles as processes of their own, and what somebody has who may write to the database or to
// Temporal's namespace.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { Client, Connection, WorkflowUpdateFailedError } from '@temporalio/client';
import type { DataConverter, Payload, PayloadCodec } from '@temporalio/common';
import { Client as Database } from 'pg';
import { startEngramAgent } from '../../../examples/agents/engram/engram-agent.js';
import { publicKeyOf } from '../../../src/cli/run/evidence-key.ts';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { createCodecKeys } from '../../../src/host/secrets/codec-keys.ts';
import { createProver } from '../../../src/host/secrets/proofs.ts';
import { dataConverterOf } from '../../../src/host/temporal/payload-codec.ts';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { createDatabase, startPostgres } from '../../rigs/process/postgres.ts';
import type { RigProcess, Supervisor } from '../../rigs/process/supervisor.ts';
import { runProgram, writeConfig, type StandfastClient } from '../../rigs/product/standfast.ts';
import { root } from '../../source-tree.ts';
import { ended, openHold } from '../setting.ts';
import { startSplit, type Api, type Split } from './split.ts';

export const secrets = { seal: '5e'.repeat(32), codec: 'c0'.repeat(32), evidence: 'e1'.repeat(32) };
export const publicKey = publicKeyOf(secrets.evidence);

const people = {
  req: '',
  fin: 'roles: [finance]',
  fin2: 'roles: [finance]',
  lead: 'roles: [lead]',
  ops: 'roles: [operator]',
  bot: 'kind: agent',
  shop: 'kind: backend, roles: [finance]',
};
export type Who = keyof typeof people;
export const keyOf = (who: Who): string => `key-of-${who}-`.padEnd(40, 'k');

export interface Attacked {
  as(who: Who): StandfastClient;
  api: Api;
  worker: RigProcess;
  split: Split;
  fake: FakeAgent;
  engram: Awaited<ReturnType<typeof startEngramAgent>>;
  /** Page's origin, for passkeys. */
  origin: string;
  /** File of signed heads. */
  heads: string;
  sql<T extends object = Record<string, unknown>>(statement: string, values?: unknown[]): Promise<T[]>;
  standfast(...args: string[]): Promise<{ code: number | null; output: string }>;
  /** Another process of a role, or a command, with another environment. */
  startedWith(env: NodeJS.ProcessEnv, role: string): Promise<{ code: number | null; output: string }>;
  /** Asks by an agent whose policy has its name, as `req`. */
  ask(policy: string, thread: string, title?: string): Promise<HoldView>;
  /** A client of Temporal's that sends as it likes. */
  temporal(converter: DataConverter): Client;
  workflowOf(hold: HoldView): Promise<string>;
  verify(): Promise<{ code: number | null; output: string }>;
}

function configOf(fake: string, engram: string, port: number, heads: string): string {
  const keys = Object.entries(people).map(
    ([user, more]) => `    - { user: ${user}, key: ${keyOf(user as Who)}, ${more} }`,
  );
  const names = ['four', 'two', 'slow', 'signed'];
  return `
server: { publicUrl: 'http://localhost:${port}' }
agents:
${names.map((name) => `  ${name}: { url: '${fake}', policy: ${name} }`).join('\n')}
  settings: { url: '${engram}', engram: true }
  carded:
    url: '${fake}'
    cardKeys: [{ kid: one, kty: OKP, crv: Ed25519, x: 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo }]
policies:
  four: { audience: ['role:finance'], exclude: [requester], reassign: anyone }
  two: { audience: ['role:finance'], quorum: 2 }
  slow:
    audience: ['role:finance']
    grace: 30m
    ladder: [{ after: 1s, escalate: ['role:lead'] }]
  signed: { audience: ['role:finance'], sign: passkey }
auth:
  keys:
${keys.join('\n')}
evidence: { signEvery: 500ms, file: '${heads}' }
codec: { key: ${'codec-endpoint-'.padEnd(40, 'k')} }
`;
}

/** On a database of its own server, or that of the test run. */
async function databaseFor(supervisor: Supervisor): Promise<string> {
  const given = process.env['STANDFAST_TEST_PG'];
  if (given !== undefined && given !== '') return createDatabase(given);
  const server = await startPostgres();
  supervisor.defer(() => server.stop());
  return createDatabase(server.url);
}

export async function startAttacked(supervisor: Supervisor, isEncrypted: boolean): Promise<Attacked> {
  const [fake, engram, databaseUrl, port, dir] = await Promise.all([
    startFakeAgent(supervisor),
    startEngramAgent({ pageSize: 2 }),
    databaseFor(supervisor),
    supervisor.freePort(),
    supervisor.tempDir('attacked'),
  ]);
  supervisor.defer(() => engram.close());
  const heads = join(dir, 'heads.jsonl');
  const env = {
    STANDFAST_SEAL_KEY: secrets.seal,
    STANDFAST_EVIDENCE_KEY: secrets.evidence,
    ...(isEncrypted && { STANDFAST_CODEC_KEY: secrets.codec }),
  };
  const configText = configOf(fake.url, engram.url, port, heads);
  const config = await writeConfig(supervisor, configText);
  const split = await startSplit(supervisor, configText, databaseUrl, env);
  const [api, worker] = await Promise.all([split.startApi(port), split.startWorker()]);
  const database = new Database({ connectionString: databaseUrl });
  await database.connect();
  supervisor.defer(() => database.end());
  const connection = await Connection.connect({ address: split.temporal.address });
  supervisor.defer(() => connection.close());
  const given = { ...env, DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: split.temporal.address };
  const codec = isEncrypted ? createCodecKeys(secrets.codec) : null;
  const [own] = dataConverterOf(codec, createProver(secrets.seal)).payloadCodecs ?? [];
  const as: Attacked['as'] = (who) => api.as(keyOf(who));
  const sql = async <T extends object>(statement: string, values: unknown[] = []): Promise<T[]> =>
    (await database.query<T>(statement, values)).rows;
  const standfast = (...args: string[]) => runProgram(supervisor, [...args, '--config', config], { env: given });
  return {
    as,
    api,
    worker,
    split,
    fake,
    engram,
    origin: `http://localhost:${port}`,
    heads,
    sql,
    standfast,
    startedWith: (other, role) => runProgram(supervisor, [role, '--config', config], { env: { ...given, ...other } }),
    async ask(policy, thread, title = 'Colour') {
      const text = JSON.stringify({ turns: [[{ do: 'form', title }], [{ do: 'complete' }]] });
      ended(await as('req').run(policy, { threadId: thread, text }), 'interrupt');
      return openHold(as('req'), policy, thread);
    },
    temporal({ payloadCodecs = [] }) {
      // Sends as the hostile one does, and reads as api and worker do.
      const encode: PayloadCodec['encode'] = async (payloads, context) =>
        payloadCodecs[0]?.encode(payloads, context) ?? payloads;
      const decode: PayloadCodec['decode'] = async (payloads, context) => own?.decode(payloads, context) ?? payloads;
      return new Client({ connection, dataConverter: { payloadCodecs: [{ encode, decode }] } });
    },
    async workflowOf({ taskId }) {
      const [task] = await sql<{ id: string }>('select workflow_id as id from tasks where task_id = $1', [taskId]);
      return task?.id ?? '';
    },
    verify: () => standfast('verify'),
  };
}

/** Payloads as they are, of any origin. */
export const payloadsOf = (payloads: Payload[]): DataConverter => ({
  payloadCodecs: [{ encode: async () => payloads, decode: async (given) => given }],
});

/** `forbidden` where the workflow refused an update, else what became of it. */
export async function outcomeOf(update: Promise<unknown>): Promise<unknown> {
  try {
    return ['taken', await update];
  } catch (error) {
    if (!(error instanceof WorkflowUpdateFailedError)) throw error;
    return error.cause !== undefined && 'type' in error.cause ? error.cause.type : error.message;
  }
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What the script in docs says of an export, with Standfast's public key. */
export async function scriptOn(dir: string, text: string): Promise<number | null> {
  const file = join(dir, 'forged.jsonl');
  await writeFile(file, text);
  return spawnSync(process.execPath, [join(root, 'docs/verify-evidence.mjs'), file, publicKey]).status;
}

interface EvidenceRow {
  seq: string;
  at: Date;
  hold_id: string | null;
  previous: string | null;
  row_hash: string | null;
  record: string;
  hash: string;
}

/** Makes all hashes of the chain again after records were changed, as somebody with the database and the sources does. */
export async function rewriteChain({ sql }: Pick<Attacked, 'sql'>, alter: (record: string) => string): Promise<string> {
  const rows = await sql<EvidenceRow>('select * from evidence order by seq');
  let hash = '0'.repeat(64);
  for (const row of rows) {
    const record = alter(row.record);
    const content = [row.seq, row.at.getTime(), row.hold_id ?? '', row.previous ?? '', row.row_hash ?? '', record];
    hash = sha256(`${hash}\n${sha256(content.join('\n'))}`);
    await sql('update evidence set record = $1, hash = $2 where seq = $3', [record, hash, row.seq]);
  }
  await sql('update chain_head set hashes = $1', [[hash]]);
  return hash;
}
