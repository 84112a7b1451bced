// Receipts of approvals and 1,100 forgeries of them, judged by the verifiers alone: in JavaScript, Python and Go.
import { execFile, spawn, spawnSync } from 'node:child_process';
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { onceIn, verifyReceipt } from '../../packages/client/verify/receipt.js';
import type { JsonObject } from '../../src/contract/base/json.ts';
import { askerOf } from '../../src/core/base/asker.ts';
import { receiptOf } from '../../src/host/secrets/receipts.ts';
import { createSigner } from '../../src/host/secrets/signing.ts';
import { aPrincipal, aQuestion } from '../rigs/factories.ts';
import { aDigestedRow, aProvedDecision, prover } from '../rigs/proofs.ts';
import { root } from '../source-tree.ts';

const signer = createSigner('5e'.repeat(32));
const jwks = { keys: [signer.jwk] };
const nowMs = Date.parse('2026-03-02T10:00:00.000Z');

/** Values whose canonical form differs between careless programs. */
const odd = {
  '\u20ac': '\u2028<&>"\\/\b\f\n\r\t\u000f',
  '\r': [1e-7, 0.1, 333_333_333.333_333_3, 4.5, 2e-3, 9_007_199_254_740_991, -1.5e-9, 100, 0],
  '\ufb33': null,
  '1': { b: true, a: false },
  '\u{1f600}': 'ö\u0080',
};

interface Case {
  jws: string;
  jwks: object;
  agent: string;
  tool: string;
  args: JsonObject;
  role: string;
  /** Those that each must have agreed. */
  stages?: string[];
  /** The text of `args`, where JavaScript cannot hold what it spells. */
  argsText?: string;
}

const fin = aPrincipal('fin', 'finance');

function receiptFor(
  n: number,
  args: JsonObject,
  {
    at = nowMs - 60_000,
    as = ['role:finance'],
    kind = 'people',
  }: { at?: number; as?: string[]; kind?: 'people' | 'agent' } = {},
): string {
  const tool = { name: 'wire', callId: `call-${n}`, args, isEditable: false };
  const schema = { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] };
  const question = aQuestion({ kind: 'tool_call', tool, schema, decisionField: 'approved' });
  const holdId = `h-${n}`;
  const iso = new Date(at).toISOString();
  const asked = aDigestedRow({ holdId, question, audience: as, agent: 'payments', owner: 'fin' });
  const row = { ...asked, plan: { ...asked.plan, receipt: { forMs: 3_600_000, version: 'sha256:1' } } };
  const decision = aProvedDecision(row, { by: fin, at: iso, kind });
  const ended = { by: 'fin', at: iso, why: 'approved' as const };
  const closed = { status: 'decided' as const, decision, votes: [], ended };
  const from = 'workflow' as const;
  const of = {
    issuer: 'https://standfast.example',
    agent: askerOf(row),
    a2aTaskId: `task-${n}`,
    hold: row,
    closed,
    from,
  };
  const jws = receiptOf({ signer, prover }, of);
  if (jws === null) throw new Error('no receipt');
  return jws;
}

const argsOf = (n: number): JsonObject => ({ amount: n, to: 'Miller', ...(n % 2 === 0 ? odd : {}) });
const genuine = (n: number, given = {}): Case => ({
  jws: receiptFor(n, argsOf(n), given),
  jwks,
  agent: 'a2a:payments',
  tool: 'wire',
  args: argsOf(n),
  role: 'role:finance',
});

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const partsOf = (jws: string): { header: JsonObject; claims: JsonObject; signature: string } => {
  const [header = '', claims = '', signature = ''] = jws.split('.');
  const read = (part: string): JsonObject => JSON.parse(Buffer.from(part, 'base64url').toString()) as JsonObject;
  return { header: read(header), claims: read(claims), signature };
};
const foreign = generateKeyPairSync('ed25519').privateKey;
function signedByForeign(header: object, claims: object): string {
  const input = `${encoded(header)}.${encoded(claims)}`;
  return `${input}.${sign(null, Buffer.from(input), foreign).toString('base64url')}`;
}
const withClaims = (jws: string, change: JsonObject): string => {
  const { header, claims, signature } = partsOf(jws);
  return `${encoded(header)}.${encoded({ ...claims, ...change })}.${signature}`;
};

/** Each makes a forgery of the receipt numbered `n`, of which none was used but the one that is replayed. */
const forgeries: Record<string, (n: number) => Case> = {
  'a changed argument': (n) => ({ ...genuine(n), args: { ...argsOf(n), amount: n + 1 } }),
  'another tool': (n) => ({ ...genuine(n), tool: n % 2 === 0 ? 'wire_all' : 'Wire' }),
  'another agent': (n) => ({ ...genuine(n), agent: n % 2 === 0 ? 'a2a:judge' : 'program:payments' }),
  'a replay': (n) => genuine(n % 100),
  'an expired receipt': (n) => genuine(n, { at: nowMs - 3_600_000 - n * 1000 }),
  'a revoked key': (n) => ({ ...genuine(n), jwks: { keys: n % 2 === 0 ? [] : [createSigner('77'.repeat(32)).jwk] } }),
  'a role that was taken away, or written in': (n) => {
    const one = genuine(n, { as: ['owner'] });
    const { claims } = partsOf(one.jws);
    const by = (claims['by'] as JsonObject[]).map((decider) => ({ ...decider, as: ['role:finance'] }));
    return n % 2 === 0 ? one : { ...one, jws: withClaims(one.jws, { by }) };
  },
  'a forged kid': (n) => {
    const { header, claims } = partsOf(genuine(n).jws);
    const kid = n % 2 === 0 ? header['kid'] : '../../keys/mine';
    const jwk = { ...signer.jwk, kid };
    return {
      ...genuine(n),
      jws: signedByForeign({ ...header, kid: kid ?? null, jwk, jku: 'https://evil.example' }, claims),
    };
  },
  'alg none, or a MAC by the public key': (n) => {
    const { header, claims } = partsOf(genuine(n).jws);
    const alg = n % 3 === 0 ? 'none' : n % 3 === 1 ? 'HS256' : 'None';
    const input = `${encoded({ ...header, alg })}.${encoded(claims)}`;
    const mac = createHmac('sha256', signer.jwk.x).update(input).digest('base64url');
    return { ...genuine(n), jws: alg === 'HS256' ? `${input}.${mac}` : `${input}.` };
  },
  'a supervisor agent’s approval, as people’s': (n) => genuine(n, { kind: 'agent' }),
  // Claims as the rows of the database give them, with the signature of another receipt or of another key.
  'a stolen database': (n) => {
    const one = genuine(n);
    const { header, claims, signature } = partsOf(receiptFor(n + 1, argsOf(n + 1)));
    const jws =
      n % 2 === 0 ? one.jws.replace(/[^.]+$/, signature) : signedByForeign(header, { ...claims, jti: `j${n}` });
    return { ...one, jws, args: n % 2 === 0 ? one.args : argsOf(n + 1) };
  },
};
const good = Array.from({ length: 100 }, (_, n) => genuine(n));
const forged = Object.values(forgeries).flatMap((make, kind) =>
  Array.from({ length: 100 }, (_, n) => make(kind === 3 ? n : 1000 + kind * 100 + n)),
);

let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'standfast-receipts-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function byJavaScript(cases: Case[]): Promise<boolean[]> {
  const once = onceIn(join(dir, 'used-by-js'));
  const verdicts: boolean[] = [];
  for (const { jws, argsText, ...given } of cases) {
    const expected = argsText === undefined ? given : { ...given, args: JSON.parse(argsText) as JsonObject };
    const verified = verifyReceipt(jws, { ...expected, jwks: expected.jwks as typeof jwks, once, now: nowMs });
    verdicts.push(
      await verified.then(
        () => true,
        () => false,
      ),
    );
  }
  return verdicts;
}

/** A program that reads a case a line and answers each with a line, `true` for an accepted one. */
async function byProgram(command: string, args: string[], cases: Case[]): Promise<boolean[]> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const output: Buffer[] = [];
  child.stdout.on('data', (bytes: Buffer) => output.push(bytes));
  const ended = new Promise((resolve) => child.once('close', resolve));
  const line = ({ argsText, ...one }: Case): string =>
    argsText === undefined
      ? JSON.stringify(one)
      : JSON.stringify({ ...one, args: '@args' }).replace('"@args"', () => argsText);
  child.stdin.end(cases.map((one) => `${line(one)}\n`).join(''));
  expect(await ended).toBe(0);
  return Buffer.concat(output)
    .toString()
    .trim()
    .split('\n')
    .map((verdict) => verdict === 'true');
}

async function byPython(cases: Case[]): Promise<boolean[]> {
  const program = join(dir, 'judge.py');
  await writeFile(
    program,
    `import json, sys
sys.path.insert(0, ${JSON.stringify(join(root, 'packages/python/src/standfast'))})
from receipt import once_in, verify_receipt
once = once_in(${JSON.stringify(join(dir, 'used-by-python'))})
for line in sys.stdin:
    case = json.loads(line)
    try:
        verify_receipt(once=once, now=${nowMs / 1000}, **case)
        print("true")
    except (ValueError, KeyError, TypeError):
        print("false")
`,
  );
  return byProgram('python3', ['-S', program], cases);
}

async function byGo(cases: Case[]): Promise<boolean[]> {
  const source = join(dir, 'go');
  await cp(join(root, 'packages/client/verify'), join(source, 'receipt'), { recursive: true });
  await writeFile(
    join(source, 'go.mod'),
    'module judge\n\ngo 1.21\n\nrequire standfast.dev/receipt v0.0.0\n\nreplace standfast.dev/receipt => ./receipt\n',
  );
  await writeFile(
    join(source, 'main.go'),
    `package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"standfast.dev/receipt"
)

func main() {
	used := map[string]bool{}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var one struct {
			Jws, Agent, Tool, Role string
			Stages                 []string
			Jwks                   json.RawMessage
			Args                   any
		}
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			panic(err)
		}
		_, err := receipt.Verify(one.Jws, receipt.Expected{
			Jwks: one.Jwks, Agent: one.Agent, Tool: one.Tool, Role: one.Role, Stages: one.Stages, Args: one.Args, Now: time.UnixMilli(${nowMs}),
			Once: func(jti string, _ int64) bool {
				first := !used[jti]
				used[jti] = true
				return first
			},
		})
		fmt.Println(err == nil)
	}
}
`,
  );
  const program = join(source, 'judge');
  const env = { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off' };
  await promisify(execFile)('go', ['build', '-o', program, '.'], { cwd: source, env });
  return byProgram(program, [], cases);
}

interface Call {
  id: string;
  name: string;
  args: JsonObject;
}
type Approvals = Map<string, { approved: boolean; reason: string }>;
type Proven = (
  message: { metadata: object },
  calls: Call[],
  approvals: Approvals,
  verify: (jws: string, call: Call) => Promise<unknown>,
) => Promise<Approvals>;

// Promise RC5
test('the example that guards its tools executes nothing without a receipt of exactly that call, and that once', async () => {
  // Safe: plain JavaScript, as its JSDoc says.
  const { proven } = (await import(join(root, 'examples/agents/guard-tools.js'))) as { proven: Proven };
  const call = { id: 'c', name: 'wire', args: argsOf(7) };
  const approvals = new Map([['c', { approved: true, reason: '' }]]);
  const once = onceIn(join(dir, 'used-by-guard'));
  const verify = (jws: string, { name: tool, args }: Call): Promise<unknown> =>
    verifyReceipt(jws, { jwks, agent: 'a2a:payments', tool, args, once, now: nowMs });
  const approvedBy = async (receipts?: string[]): Promise<boolean | undefined> => {
    const metadata = receipts === undefined ? {} : { 'urn:standfast:receipts:v1': receipts };
    return (await proven({ metadata }, [call], approvals, verify)).get('c')?.approved;
  };
  expect(await approvedBy()).toBe(false);
  expect(await approvedBy([receiptFor(8, argsOf(8))])).toBe(false);
  expect(await approvedBy([receiptFor(8, argsOf(8)), receiptFor(7, argsOf(7))])).toBe(true);
  expect(await approvedBy([receiptFor(7, argsOf(7))])).toBe(false);
});

/** Outside CI a language that is not installed is left out. */
const isThere = (command: string, argument: string): boolean =>
  process.env['CI'] !== undefined || spawnSync(command, [argument]).status === 0;
const verifiers: [language: string, file: string, judge: (cases: Case[]) => Promise<boolean[]>][] = [
  ['JavaScript', 'packages/client/verify/receipt.js', byJavaScript],
];
if (isThere('python3', '--version')) verifiers.push(['Python', 'packages/python/src/standfast/receipt.py', byPython]);
if (isThere('go', 'version')) verifiers.push(['Go', 'packages/client/verify/receipt.go', byGo]);

describe.each(verifiers)('the verifier of receipts in %s', (_language, file, judge) => {
  // Promise RC2, Y74
  test('a verifier of receipts accepts each of 100 receipts once, and none of 1,100 forgeries', async () => {
    const verdicts = await judge([...good, ...forged]);
    expect(verdicts).toHaveLength(1200);
    expect(verdicts.slice(0, 100).filter((isAccepted) => !isAccepted)).toEqual([]);
    const accepted = verdicts
      .slice(100)
      .flatMap((is, at) => (is ? [Object.keys(forgeries)[Math.floor(at / 100)]] : []));
    expect(accepted).toEqual([]);
  });

  // Promise Y93
  test('a verifier refuses a call with a number that a double does not hold, and what is not the text of a receipt', async () => {
    const held = 2 ** 53;
    const texts = [
      '{"account":9007199254740993}',
      '{"account":9007199254740992}',
      '{"account":-9007199254740993}',
      '{"account":9007199254740993.0}',
      '{"account":[{"no":9.007199254740993e15}]}',
      '{"account":100000000000000000001}',
      '{"account":1e23}',
    ];
    const near = [held, held, -held, held, [{ no: held }], 1e20, 1e23].map((account) => ({ account }));
    const beyond = near.map((args, at): Case => ({
      ...genuine(5_000 + at),
      jws: receiptFor(5_000 + at, args),
      args,
      argsText: texts[at] ?? '',
    }));
    const apart = ['\n', '\r', '\r\n', ' ', '='].flatMap((one, at) =>
      [0, 40, Infinity].map((place, again): Case => {
        const fine = genuine(6_000 + at * 10 + again);
        const { jws } = fine;
        return { ...fine, jws: `${jws.slice(0, place)}${one}${place === Infinity ? '' : jws.slice(place)}` };
      }),
    );
    expect((await judge([...beyond, ...apart])).filter(Boolean)).toEqual([]);
    const largest = genuine(7_000);
    const args = { account: held - 1, share: 0.1 };
    expect(await judge([{ ...largest, jws: receiptFor(7_000, args), args }])).toEqual([true]);
  });

  // Promise RC2
  // Promise Y70
  test('a verifier of receipts reads which stages agreed, and refuses a stage that did not', async () => {
    const first = genuine(5001);
    const stages = [
      { name: 'team', quorum: 1, by: ['fin'] },
      { name: 'lead', quorum: 1, by: ['lea'] },
    ];
    const by = [...(partsOf(first.jws).claims['by'] as JsonObject[]), { id: 'lea', as: ['role:finance'], at: '' }];
    const signed = (n: number, change: JsonObject): Case => {
      const { claims } = partsOf(genuine(n).jws);
      return { ...genuine(n), jws: signer.jwsOf('standfast-receipt+jwt', { ...claims, by, quorum: 2, ...change }) };
    };
    const [team = {}, lead = {}] = stages;
    expect(
      await judge([
        { ...signed(5001, { stages }), stages: ['team', 'lead'] },
        { ...signed(5002, { stages }), stages: ['board'] },
        signed(5003, { stages: [team, { ...lead, quorum: 2 }] }),
        signed(5004, { stages: [team, { ...lead, by: ['eve'] }] }),
        { ...signed(5005, {}), stages: ['team'] },
        signed(5006, { stages: [team, { ...lead, quorum: 2, by: ['lea', 'lea'] }] }),
      ]),
    ).toEqual([true, false, false, false, false, false]);
  });

  test('a verifier of receipts has at most 100 lines', async () => {
    expect((await readFile(join(root, file), 'utf8')).trimEnd().split('\n').length).toBeLessThanOrEqual(100);
  });
});

// Promise Y93
test('the verifier in JavaScript takes no value that is written as another one in JSON', async () => {
  const once = (): boolean => true;
  const isTaken = async (shown: JsonObject, args: unknown): Promise<boolean> =>
    verifyReceipt(receiptFor(9_000, shown), { jwks, agent: 'a2a:payments', tool: 'wire', args, once, now: nowMs }).then(
      () => true,
      () => false,
    );
  expect(await isTaken({ a: 1 }, { a: 1 })).toBe(true);
  const alike: [JsonObject, unknown][] = [
    [{ a: null }, { a: Number.NaN }],
    [{ a: null }, { a: Infinity }],
    [{ a: {} }, { a: new Map([['to', 'Miller']]) }],
    [{ a: {} }, { a: new Date(0) }],
    [{ a: 1 }, { a: 1n }],
    [{ a: 2 ** 53 }, { a: 2n ** 53n }],
  ];
  for (const [shown, args] of alike) expect(await isTaken(shown, args)).toBe(false);
});

// Promise Y93
test('the verifier in Python takes a decimal that a double holds, and no other one', async () => {
  const program = `import sys
from decimal import Decimal
sys.path.insert(0, ${JSON.stringify(join(root, 'packages/python/src/standfast'))})
from receipt import canonical
def taken(value):
    try: return canonical(value)
    except ValueError: return None
print([taken(one) for one in (Decimal("0.10"), Decimal("0.1000000000000000000001"), Decimal("1e400"), 10**400, float("nan"), float("inf"), Decimal("NaN"), {1: 2}, {1}, 2**53 - 1)])
`;
  const { stdout } = await promisify(execFile)('python3', ['-S', '-c', program]);
  expect(stdout.trim()).toBe("['0.1', None, None, None, None, None, None, None, None, '9007199254740991']");
});
