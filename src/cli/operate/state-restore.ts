// `verify --restored`: an operator states that the database was restored, so that heads signed of lost records count no
// longer and the worker signs again. The statement is signed: write access to the database does not suffice for one.
import { userInfo } from 'node:os';
import type { RestoreStatement, SignedHead } from '../../store/ports/evidence.ts';
import { createHeadSigner, publicKeyOf, readKey } from '../run/evidence-key.ts';
import type { Settings } from '../run/settings.ts';
import { StartError } from '../run/startup-output.ts';
import { inDatabase } from './with-database.ts';

/** Other processes may append records meanwhile; each attempt signs the end as it then is. */
const maxAttempts = 20;

/**
 * Appends a signed statement that gives up those of `heads` whose records are lost. Throws StartError without the key,
 * without a lost head, and where the restored records themselves were altered.
 */
export async function stateRestore(
  settings: Settings,
  dataDir: string,
  { heads, reason }: { heads: SignedHead[]; reason: string },
): Promise<string> {
  const seed = settings.environment.evidenceKey ?? readKey(dataDir);
  if (seed === null) throw new StartError('a restore is stated with STANDFAST_EVIDENCE_KEY, which is not set');
  const { lost } = await inDatabase(settings, dataDir, { kind: 'verify', range: {}, heads });
  const own = lost.filter(({ key }) => key === publicKeyOf(seed));
  if (own.length === 0)
    throw new StartError(
      'there is no restore to state: the database contains every head that this key signed and evidence.file has',
    );
  const restored = await inDatabase(settings, dataDir, { kind: 'verify', range: {}, heads: [] });
  const [fault] = restored.faults;
  if (fault !== undefined)
    throw new StartError(
      `a restore is not stated of records that were altered (${fault.what}${fault.seq === null ? '' : `, record ${fault.seq}`}); restore an unaltered backup first`,
    );
  const statement: RestoreStatement = {
    by: userInfo().username,
    at: new Date().toISOString(),
    reason,
    givenUp: own.map(({ seq, hash }) => ({ seq, hash })),
  };
  await append(settings, dataDir, { end: restored.head, statement, seed });
  return `stated: restored by ${statement.by}: ${reason}; ${own.length} signed heads given up, records ${own[0]?.seq} to ${own.at(-1)?.seq}`;
}

async function append(
  settings: Settings,
  dataDir: string,
  { end, statement, seed }: { end: { seq: number; hash: string }; statement: RestoreStatement; seed: string },
): Promise<void> {
  const signed = createHeadSigner(seed);
  let expected = end;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const head = signed({ ...expected, restored: statement });
    const found = await inDatabase(settings, dataDir, { kind: 'state-restore', head });
    if (found.seq === expected.seq && found.hash === expected.hash) return;
    expected = found;
  }
  throw new StartError('records were added all the time, so that the statement was not written: try again');
}
