// docs/operate/drill.md as it is: its blocks are one session of bash in an empty directory, on ports of this machine.
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { program } from '../../rigs/product/standfast.ts';
import { startPostgres, type Postgres } from '../../rigs/process/postgres.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { read } from '../../source-tree.ts';
import { buildOnce, temporalCli } from '../setting.ts';

const supervisor = createSupervisor();
let postgres: Postgres;

beforeAll(async () => {
  buildOnce();
  postgres = await startPostgres();
  supervisor.defer(() => postgres.stop());
});
afterAll(() => supervisor.end());

const steps = [...read('docs/operate/drill.md').matchAll(/^## (.+)$(?:(?!^## )[^])*?^```sh\n([^]*?)^```$/gm)].map(
  ([, name = '', lines = '']) => ({ name, lines }),
);

// Promise W14a
test('the drill can be followed line by line, to its end', async () => {
  const [temporal, api] = [await supervisor.freePort(), await supervisor.freePort()];
  const dir = await supervisor.tempDir('drill');
  const bin = join(dir, '.bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'standfast'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, { mode: 0o755 });
  const session = steps
    .flatMap(({ name, lines }) => [lines, `echo "${name}: $SECONDS s"; SECONDS=0\n`])
    .join('')
    .replaceAll('postgres://postgres@127.0.0.1:5432', new URL(postgres.url).href.replace(/\/postgres$/, ''))
    .replaceAll('7233', String(temporal))
    .replaceAll('8600', String(api));
  writeFileSync(join(dir, '.session'), `set -e\n${session}`);
  const path = [bin, dirname(await temporalCli()), process.env['PATH'] ?? ''].join(delimiter);
  const shell = supervisor.start({ name: 'drill', command: 'bash', args: ['.session'], cwd: dir, env: { PATH: path } });
  const { code } = await shell.exited;
  expect([code, shell.output()]).toEqual([0, expect.stringContaining(`${steps.at(-1)?.name}: `)]);
  expect(steps.map(({ name }) => name)).toHaveLength(8);
}, 900_000);
