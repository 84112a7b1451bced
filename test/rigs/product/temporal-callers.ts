// Workflows of somebody else's that ask over Nexus, as examples/temporal has them: each worker a process of its own language.
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../source-tree.ts';
import type { RigProcess, Supervisor } from '../process/supervisor.ts';
import { leastBoundMs } from '../wait-for.ts';

const run = promisify(execFile);

export interface CallersWorker {
  process: RigProcess;
  /** What its activity paid, a line each. */
  paid(): Promise<string[]>;
  /** Starts it again after it was killed. */
  startAgain(): Promise<void>;
}

interface Program {
  command: string;
  args: string[];
  cwd: string;
  env?: NodeJS.ProcessEnv;
}

/** The example next to the packed client, as its readers have it. */
export async function typescriptProgram(supervisor: Supervisor, worker = 'worker.ts'): Promise<Program> {
  const dir = await supervisor.tempDir('temporal-typescript');
  const client = join(dir, 'node_modules/@standfast/client');
  await mkdir(client, { recursive: true });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [join(root, 'scripts/client-types.mjs')], { cwd: root });
  const outDir = join(client, 'dist');
  await run(process.execPath, [tsc, '-p', join(root, 'packages/client'), '--outDir', outDir], { cwd: root });
  await cp(join(root, 'packages/client/package.json'), join(client, 'package.json'));
  await cp(join(root, 'examples/temporal/typescript'), dir, { recursive: true });
  const packages = [
    '@temporalio',
    'nexus-rpc',
    'tsx',
    'openapi-fetch',
    'openapi-typescript-helpers',
    'eventsource-parser',
  ];
  for (const name of packages) await symlink(join(root, 'node_modules', name), join(dir, 'node_modules', name));
  return { command: process.execPath, args: ['--import', 'tsx', worker], cwd: dir };
}

const pathOf = (language: string): string => join(root, 'examples/temporal', language);
const { STANDFAST_TEST_TEMPORAL_PYTHON, STANDFAST_TEST_TEMPORAL_GO, STANDFAST_TEST_TEMPORAL_JAVA } = process.env;

/** The examples in other languages, as scripts/temporal-callers.mjs made them; what could not be made is missing. */
export const programs: Readonly<Partial<Record<'python' | 'go' | 'java', Program>>> = {
  ...(STANDFAST_TEST_TEMPORAL_PYTHON !== undefined && {
    python: {
      command: STANDFAST_TEST_TEMPORAL_PYTHON,
      args: ['worker.py'],
      cwd: pathOf('python'),
      env: { PYTHONPATH: join(root, 'packages/python/src'), PYTHONDONTWRITEBYTECODE: '1' },
    },
  }),
  ...(STANDFAST_TEST_TEMPORAL_GO !== undefined && {
    go: { command: STANDFAST_TEST_TEMPORAL_GO, args: [], cwd: pathOf('go') },
  }),
  ...(STANDFAST_TEST_TEMPORAL_JAVA !== undefined && {
    java: { command: 'java', args: ['-cp', STANDFAST_TEST_TEMPORAL_JAVA, 'payments.Main'], cwd: pathOf('java') },
  }),
};

/** Starts the worker of a program, and waits until it says that it is ready. */
export async function startCallersWorker(
  supervisor: Supervisor,
  name: string,
  program: Program,
  temporalAddress: string,
): Promise<CallersWorker> {
  const payments = join(await supervisor.tempDir('payments'), 'payments.txt');
  const start = async (): Promise<RigProcess> => {
    const env = { ...program.env, TEMPORAL_ADDRESS: temporalAddress, PAYMENTS: payments };
    const started = supervisor.start({ ...program, name: `${name} worker`, env });
    await started.waitForLine(/ready/, leastBoundMs);
    return started;
  };
  const worker: CallersWorker = {
    process: await start(),
    paid: async () => (await readFile(payments, 'utf8').catch(() => '')).split('\n').filter((line) => line !== ''),
    async startAgain() {
      worker.process = await start();
    },
  };
  return worker;
}
