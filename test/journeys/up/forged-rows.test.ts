// Rows that somebody forged who has the database and the program, so that the chain of records agrees with each: what the command
// `standfast verify` says of them, with the key that only the processes have.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Command } from 'commander';
import { addEvidenceCommands } from '../../../src/cli/operate/evidence-commands.ts';
import type { Decision, DecisionProof } from '../../../src/contract/holds/decision.ts';
import { asSent } from '../../../src/core/consent/proof.ts';
import { createProver, type Prover } from '../../../src/host/secrets/proofs.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { HoldRow, Store } from '../../../src/store/store.ts';
import { aPrincipal, after, aQuestion } from '../../rigs/factories.ts';
import { aDigestedRow, aProvedDecision, aProvedVote, prover, testKey } from '../../rigs/proofs.ts';
import { prepareDataDir } from '../../rigs/store/memory-store.ts';

const [fin, leg] = [aPrincipal('fin', 'finance'), aPrincipal('leg', 'finance')];
const stranger = createProver('the key of another installation, of thirty-two');

const aRow = (holdId: string, amount = 4210): HoldRow => {
  const tool = { name: 'wire', callId: holdId, args: { amount }, isEditable: false };
  const question = aQuestion({ kind: 'tool_call', decisionField: 'approved', tool });
  return aDigestedRow({ holdId, taskId: `t-${holdId}`, interruptId: holdId, question, audience: ['role:finance'] });
};

interface End {
  decision: Decision;
  votes?: HoldRow['votes'];
  /** Who marks it as sent; null: no process. */
  by?: Prover | null;
}

async function close(store: Store, row: HoldRow, { decision, votes = [], by = prover }: End): Promise<void> {
  await store.holds.putOnce([row]);
  const [status, why] =
    decision.status === 'cancelled' ? (['cancelled', 'declined'] as const) : (['decided', 'approved'] as const);
  const ended = { by: decision.by, at: decision.at, why };
  const closed = { status, decision, votes, answerFingerprint: null, supersededBy: null, ended };
  await store.holds.close(row.holdId, by === null ? closed : asSent(by.macOf, row.holdId, closed));
}

const yesTo = (row: HoldRow, change: Partial<Parameters<typeof aProvedDecision>[1]> = {}): Decision =>
  aProvedDecision(row, { by: fin, at: after('1m'), ...change });
const withProof = (decision: Decision, change: Partial<DecisionProof>): Decision =>
  decision.proof === undefined ? decision : { ...decision, proof: { ...decision.proof, ...change } };
const no = { entry: { values: { approved: false } } };

/** Each as the writer would have it read: of a question numbered as `row`, and of `other`, which fin approved. */
const forgeries: Record<string, (row: HoldRow, other: HoldRow) => End> = {
  'a verdict that was changed': (row) => ({ decision: { ...yesTo(row, no), values: { approved: true } } }),
  'a verdict that was changed, with the hash of the new one': (row) => {
    const [was, is] = [yesTo(row, no), yesTo(row)];
    return { decision: withProof({ ...was, values: is.values }, { answer: is.proof?.answer ?? '' }) };
  },
  'values that were changed': (row) => ({
    decision: { ...yesTo(row), values: { approved: true, editedArgs: { amount: 1 } } },
  }),
  'a decision that was copied from another question': (_row, other) => ({ decision: yesTo(other) }),
  'a decision that another installation proved': (row) => ({
    decision: yesTo(row, { prover: stranger }),
    by: stranger,
  }),
  'a decision without its proof': (row) => {
    const { proof: _proof, ...decision } = yesTo(row);
    return { decision, by: null };
  },
  'a decision without its proof, in the name of Temporal’s own tools': (row) => {
    const { proof: _proof, ...decision } = yesTo(row, { source: 'signal' });
    return { decision, by: stranger };
  },
  'a decision without its proof, in the name of the clock': (row) => {
    const { proof: _proof, ...decision } = yesTo(row, { source: 'clock' });
    return { decision, by: stranger };
  },
  'a decision by another person': (row) => ({ decision: { ...yesTo(row), by: 'leg' } }),
  'a decision that no worker sent': (row) => ({ decision: yesTo(row), by: null }),
  'a decision with a vote that was copied from another question': (row, other) => ({
    decision: yesTo(row),
    votes: [aProvedVote(row, { by: fin, at: after('1m') }), aProvedVote(other, { by: leg, at: after('1m') })],
  }),
};

let base = '';
let dir = '';
let environment: NodeJS.ProcessEnv;
const inStore = async (work: (store: Store) => Promise<void>): Promise<void> => {
  const store = await openStore({ dataDir: join(dir, 'pglite') });
  try {
    await work(store);
  } finally {
    await store.close();
  }
};

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'standfast-forged-rows-'));
  dir = join(base, 'genuine');
  await prepareDataDir(join(dir, 'pglite'));
  await inStore(async (store) => {
    await close(store, aRow('lunch', 12), { decision: yesTo(aRow('lunch', 12)) });
    await close(store, aRow('refused'), { decision: yesTo(aRow('refused'), no) });
    const both = aRow('agreed');
    const votes = [fin, leg].map((by) => aProvedVote(both, { by, at: after('1m') }));
    await close(store, both, { decision: yesTo(both, { by: leg }), votes });
  });
});
afterAll(() => rm(base, { recursive: true, force: true }));
beforeEach(() => {
  environment = process.env;
  process.env = { ...environment, DATABASE_URL: '', STANDFAST_SEAL_KEY: testKey };
});
afterEach(() => {
  process.env = environment;
  process.exitCode = undefined;
});

async function verify(): Promise<{ out: string; code: number }> {
  let out = '';
  const spy = jest.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += String(text)), true));
  try {
    const program = new Command().exitOverride();
    addEvidenceCommands(program);
    await program.parseAsync(['node', 'standfast', 'verify', '--data-dir', dir]);
    return { out, code: Number(process.exitCode ?? 0) };
  } finally {
    process.exitCode = undefined;
    spy.mockRestore();
  }
}

describe('standfast verify', () => {
  test('standfast verify ends with 0 over decisions that were proved', async () => {
    dir = join(base, 'genuine');
    expect(await verify()).toMatchObject({ code: 0, out: expect.stringContaining('nothing was altered') });
  });

  // Promise Y75
  test.each(Object.entries(forgeries))('standfast verify ends with 1 and names the row of %s', async (name, forge) => {
    dir = join(base, name.replaceAll(/\W+/gu, '-'));
    await cp(join(base, 'genuine'), dir, { recursive: true });
    const row = aRow('forged', 4_200_000);
    await inStore((store) => close(store, row, forge(row, aRow('lunch', 12))));
    const { out, code } = await verify();
    expect([code, out]).toEqual([1, expect.stringContaining('ALTERED forged')]);
    expect(out).not.toMatch(/ALTERED (lunch|refused|agreed)/);
    await rm(dir, { recursive: true, force: true });
  });
});
