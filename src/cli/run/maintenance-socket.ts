// Only a running `up` can open its embedded database, so it verifies, exports and erases for the owner of the data
// directory. No API key is needed, as when the owner opens the database directly.
import { rmSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { errorText } from '../../host/process/errno.ts';
import type { Prover } from '../../host/secrets/proofs.ts';
import { unprovedIn } from '../../core/consent/proof.ts';
import type { EvidenceLine, VerifiedEvidence } from '../../store/ports/evidence.ts';
import type { Store } from '../../store/store.ts';
import type { UnreadableRow } from '../../store/unreadable.ts';
import { StartError } from './startup-output.ts';
import { assertNever } from '../../core/base/errors.ts';
import type { Erased } from '../../store/ports/upkeep.ts';

/** Maximum length of a socket path on all systems; Node truncates longer ones and would listen elsewhere. */
const maxPathBytes = 103;

function socketIn(dataDir: string): string {
  const path = join(dataDir, 'maintenance.sock');
  if (Buffer.byteLength(path) <= maxPathBytes) return path;
  throw new Error(`${path} is too long for a socket: a shorter --data-dir helps`);
}

type Reply = { line: EvidenceLine } | { result: MaintenanceResult } | { error: string };
const ReplySchema = z.union([
  z.strictObject({ line: z.custom<EvidenceLine>(isObject) }),
  z.strictObject({ result: z.custom<MaintenanceResult>((value) => value === null || isObject(value)) }),
  z.strictObject({ error: z.string() }),
]);

/** Starts serving and returns a function that stops it; throws when the file system supports no sockets there. */
export async function serveMaintenance(
  dataDir: string,
  store: Store,
  prover: Prover | null,
): Promise<() => Promise<void>> {
  const path = socketIn(dataDir);
  // Left over from a killed process: the holder of the directory's lock may remove it.
  rmSync(path, { force: true });
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    // A client that disconnects early needs no response.
    socket.on('error', () => socket.destroy());
    createInterface({ input: socket }).once('line', (text) => void answer(socket, { store, prover }, text));
  });
  await listenPrivately(server, path);
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of open) socket.destroy();
    });
}

/** Creates the socket and its mode within one synchronous call, so that no other user can connect in between. */
async function listenPrivately(server: Server, path: string): Promise<void> {
  const before = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
      process.umask(before);
    });
  } finally {
    process.umask(before);
  }
}

async function answer(socket: Socket, of: MaintenanceDeps, text: string): Promise<void> {
  const reply = (part: Reply): void => void socket.write(`${JSON.stringify(part)}\n`);
  try {
    const command = MaintenanceSchema.parse(JSON.parse(text));
    reply({ result: await runMaintenance(of, command, (line) => reply({ line })) });
  } catch (error) {
    reply({ error: errorText(error) });
  }
  socket.end();
}

/** Sends a command to the `up` that runs on the data directory. */
export async function askRunning(
  dataDir: string,
  pid: number,
  command: Maintenance,
  write: (line: EvidenceLine) => void,
): Promise<MaintenanceResult> {
  let socket: Socket | null = null;
  let reply: Reply | null = null;
  try {
    const connecting = (socket = createConnection(socketIn(dataDir)));
    await new Promise<void>((resolve, reject) => {
      connecting.once('connect', resolve);
      connecting.once('error', reject);
    });
    connecting.write(`${JSON.stringify(command)}\n`);
    for await (const text of createInterface({ input: connecting })) {
      reply = ReplySchema.parse(JSON.parse(text));
      if ('line' in reply) write(reply.line);
    }
  } catch (error) {
    throw new StartError(
      `${dataDir} is in use by a running standfast (pid ${pid}), which alone may open its database, and it takes no commands now ` +
        `(${errorText(error)}). Try again once it is ready, stop it for a moment, or give DATABASE_URL.`,
      { cause: error },
    );
  } finally {
    socket?.destroy();
  }
  if (reply === null || 'line' in reply)
    throw new StartError(`the Standfast that runs on ${dataDir} (pid ${pid}) ended before its answer did: ask again`);
  if ('error' in reply) throw new StartError(reply.error);
  return reply.result;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

// Implementation of `verify`, `export` and `erase`, for their own process and for a running `up`, which alone can open
// the embedded database.
const RangeSchema = z.strictObject({ from: z.string().exactOptional(), to: z.string().exactOptional() });
const RestoreStatementSchema = z.strictObject({
  by: z.string(),
  at: z.string(),
  reason: z.string(),
  givenUp: z.array(z.strictObject({ seq: z.int(), hash: z.string() })),
});
export const SignedHeadSchema = z.object({
  seq: z.int(),
  hash: z.string(),
  key: z.string(),
  signature: z.string(),
  at: z.string().exactOptional(),
  restored: RestoreStatementSchema.exactOptional(),
});

const MaintenanceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('verify'), range: RangeSchema, heads: z.array(SignedHeadSchema) }),
  z.strictObject({ kind: z.literal('export'), of: z.union([z.strictObject({ holdId: z.string() }), RangeSchema]) }),
  z.strictObject({ kind: z.literal('state-restore'), head: SignedHeadSchema }),
  z.strictObject({ kind: z.literal('unreadable') }),
  z.strictObject({ kind: z.literal('erase-user'), user: z.string() }),
  z.strictObject({ kind: z.literal('erase-thread'), thread: z.string(), agent: z.string().exactOptional() }),
]);
export type Maintenance = z.output<typeof MaintenanceSchema>;

export interface MaintenanceResults {
  /** `areProofsChecked`: false where no key is known. */
  verify: VerifiedEvidence & { areProofsChecked: boolean };
  export: null;
  'state-restore': { seq: number; hash: string };
  unreadable: { rows: UnreadableRow[] };
  'erase-user': Erased;
  'erase-thread': Erased;
}
export type MaintenanceResult = MaintenanceResults[Maintenance['kind']];

export interface MaintenanceDeps {
  store: Store;
  /** Null: no key is known, and the answers of rows are not checked. */
  prover: Prover | null;
}

/** Runs the command; lines of an export are written as they are read. */
export async function runMaintenance(
  { store: { evidence, tx, scan }, prover }: MaintenanceDeps,
  command: Maintenance,
  write: (line: EvidenceLine) => void,
): Promise<MaintenanceResult> {
  switch (command.kind) {
    case 'verify':
      return {
        ...(await evidence.verify(command.range, command.heads, (row) =>
          prover === null ? [] : unprovedIn(prover, row),
        )),
        areProofsChecked: prover !== null,
      };
    case 'export':
      await evidence.export(command.of, write);
      return null;
    case 'state-restore':
      return evidence.stateRestore(command.head);
    case 'unreadable':
      return { rows: await scan() };
    case 'erase-user':
      return tx(({ erasure }) => erasure.user(command.user));
    case 'erase-thread':
      return tx(({ erasure }) => erasure.thread(command.thread, command.agent));
    default:
      return assertNever(command);
  }
}
