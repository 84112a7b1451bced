// The examples of examples/shell and the action of GitHub: each is run as its program runs it, with the real command line.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { JsonObject } from '../../src/contract/base/json.ts';
import { isFitId } from '../../src/api/ask/ask-runs.ts';
import type { HoldRow } from '../../src/store/store.ts';
import { aDecision, freshThread, keyConfig, keys, openWhatIsAsked, anEnd } from '../api/rig.ts';
import { closeSent } from '../rigs/proofs.ts';
import { describeApi } from '../api/describe-api.ts';
import { askedHold } from '../rigs/store/asked-hold.ts';

interface Ran {
  code: number | null;
  out: string;
}
interface Action {
  inputs: Record<string, { required?: boolean; default?: string }>;
  runs: { steps: { shell: string; env: Record<string, string>; run: string }[] };
}

const root = process.cwd();
const bin = mkdtempSync(join(tmpdir(), 'standfast-bin-'));
const policies = { finance: { audience: ['role:finance'] } };
const rig = describeApi({
  withKeys: true,
  config: { auth: { keys: keyConfig }, policies, ask: { policy: 'finance' } },
});
let env: NodeJS.ProcessEnv = {};
beforeAll(async () => {
  openWhatIsAsked(rig);
  const url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
  const tsx = join(root, 'node_modules/tsx/dist/loader.mjs');
  const command = join(bin, 'standfast');
  writeFileSync(
    command,
    `#!/bin/sh\nexec '${process.execPath}' --import '${tsx}' '${join(root, 'src/cli/main.ts')}' "$@"\n`,
  );
  chmodSync(command, 0o755);
  env = { PATH: `${bin}${delimiter}${process.env['PATH']}`, STANDFAST_URL: url, STANDFAST_API_KEY: keys.anna };
});

function run(program: string, args: string[], more: NodeJS.ProcessEnv = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { ...env, ...more }, cwd: join(root, 'examples/shell') });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += String(chunk)));
    child.on('error', reject).on('close', (code) => resolve({ code, out }));
  });
}

async function answer(id: string, values: JsonObject): Promise<HoldRow> {
  const hold = await askedHold(rig.store, 'anna', id, 60_000);
  await closeSent(rig.store, hold.holdId, anEnd('decided', aDecision({ by: 'fin', values }), null));
  return hold;
}

/** What it prints after a yes, and after a no. */
async function afterYesAndNo(start: (name: string) => Promise<Ran>, idOf: (name: string) => string): Promise<Ran[]> {
  const names = [freshThread(), freshThread()];
  const all = names.map(start);
  for (const [index, name] of names.entries()) await answer(idOf(name), { approved: index === 0 });
  return Promise.all(all);
}

describe('examples for shells', () => {
  // Promise TE16
  test('the bash example deploys after a yes alone', async () => {
    const [yes, no] = await afterYesAndNo(
      (name) => run('bash', ['deploy.sh', name]),
      (name) => `deploy-${name}`,
    );
    expect(yes).toEqual({ code: 0, out: expect.stringContaining('deploying') });
    expect(no).toEqual({ code: 1, out: '' });
    const away = await run('bash', ['deploy.sh', 'x'], { STANDFAST_API_KEY: 'wrong' });
    expect(away).toEqual({ code: 4, out: '' });
  }, 120_000);

  test('the bash example for a value copies to the region that a person chose', async () => {
    const id = freshThread();
    const ran = run('bash', ['region.sh', id]);
    await answer(id, { region: 'eu' });
    expect(await ran).toEqual({ code: 0, out: 'copying to eu\n' });
  }, 120_000);

  test('the Makefile runs its recipe after a yes alone', async () => {
    const [yes, no] = await afterYesAndNo(
      (name) => run('make', ['--silent', 'deploy', `VERSION=${name}`]),
      (name) => `deploy-${name}`,
    );
    expect(yes).toEqual({ code: 0, out: expect.stringContaining('deploying') });
    expect(no).toEqual({ code: 2, out: '' });
  }, 120_000);

  test('the job of GitLab goes on after a yes alone', async () => {
    const { script } = (
      parse(readFileSync('examples/shell/gitlab-ci.yml', 'utf8')) as Record<string, { script: string[] }>
    )['approve-production'] ?? { script: [] };
    expect(script).toHaveLength(2);
    const [yes, no] = await afterYesAndNo(
      // As GitLab runs a script: line by line, until one fails.
      (name) =>
        run('bash', ['-eo', 'pipefail', '-c', script.join('\n')], { CI_PIPELINE_ID: name, CI_COMMIT_SHORT_SHA: 'abc' }),
      (name) => `gitlab-${name}`,
    );
    expect(yes).toEqual({ code: 0, out: 'deploying abc\n' });
    expect(no).toEqual({ code: 1, out: '' });
  }, 120_000);

  test('the action of GitHub names its question by an id that Standfast takes, however long the name of a repository is', () => {
    const { inputs } = parse(readFileSync('action.yml', 'utf8')) as Action;
    const longest: Record<string, string> = {
      repository: `${'o'.repeat(39)}/${'r'.repeat(100)}`,
      repository_id: '12345678901',
      run_id: '123456789012',
      job: 'deploy-to-production-in-all-regions-of-the-world',
    };
    const id = inputs['id']?.default?.replace(
      /\$\{\{ github\.(\w+) \}\}/gu,
      (_all, name: string) => longest[name] ?? '${{',
    );
    expect(id).not.toContain('${{');
    expect(isFitId(id ?? '')).toBe(true);
  });

  test('the action of GitHub ends with 0 on a yes alone, and runs nothing of what its inputs say', async () => {
    const action = parse(readFileSync('action.yml', 'utf8')) as Action;
    const [step] = action.runs.steps;
    if (step === undefined) throw new Error('the action has no step');
    expect(step.shell).toBe('bash');
    expect(step.run).not.toContain('${{');
    const inputs = (id: string, given: Record<string, string>): NodeJS.ProcessEnv => {
      const all: Record<string, string> = {
        url: env['STANDFAST_URL'] ?? '',
        'api-key': keys.anna,
        id,
        command: 'standfast',
        ...given,
      };
      const valueOf = (name: string): string => {
        const { required = false, default: otherwise = '' } = action.inputs[name] ?? {};
        if (required && all[name] === undefined) throw new Error(`the input ${name} is missing`);
        return all[name] ?? otherwise;
      };
      const named = Object.entries(step.env).map(([name, text]): [string, string] => [
        name,
        text.replace(/^\$\{\{ inputs\.([\w-]+) \}\}$/u, (_all, input: string) => valueOf(input)),
      ]);
      return Object.fromEntries(named);
    };
    const why = 'Deploys "it"; $(echo run >&2) `id`';
    const given = { why, tool: 'deploy', args: '{"version":"1.4"}' };
    const [yes, no] = await afterYesAndNo(
      (name) => run('bash', ['-eo', 'pipefail', '-c', step.run], inputs(name, given)),
      (name) => name,
    );
    expect([yes?.code, no?.code]).toEqual([0, 1]);
    const id = freshThread();
    const ran = run('bash', ['-eo', 'pipefail', '-c', step.run], inputs(id, given));
    const { question } = await answer(id, { approved: true });
    expect(question).toMatchObject({ message: why, tool: { name: 'deploy', args: { version: '1.4' } } });
    expect((await ran).code).toBe(0);
  }, 120_000);
});
