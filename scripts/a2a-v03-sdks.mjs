// Installs the official SDKs of A2A 0.3, on which callers are still written, for the tests, once for each version, outside the
// tree; by hand: STANDFAST_TEST_A2A_V03="$(node scripts/a2a-v03-sdks.mjs)" for a run of jest alone.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { madeOnce, printIfMain, runToEnd } from './made-once.mjs';
import { preparePython } from './python-agents.mjs';

const packages = {
  '@a2a-js/sdk': '0.3.14',
  '@bufbuild/protobuf': '2.17.0',
  '@grpc/grpc-js': '1.14.7',
  uuid: '11.1.1',
};
/** What else they need is in the environment of the Python agents. */
const distributions = ['a2a-sdk==0.3.26', 'httpx-sse==0.4.3'];

/** The directory that holds `node_modules` and `python`; what it says on the way goes to `say`. Throws when there can be none. */
export async function prepareOldSdks({ say = console.log } = {}) {
  const python = await preparePython({ say });
  const manifest = JSON.stringify({ private: true, dependencies: packages });
  return madeOnce({ name: 'a2a-v03', key: [manifest, ...distributions], what: 'SDKs of A2A 0.3', say }, async (dir) => {
    mkdirSync(dir);
    writeFileSync(join(dir, 'package.json'), manifest);
    await runToEnd('npm', ['install', '--no-audit', '--no-fund'], { cwd: dir });
    const pip = ['-m', 'pip', 'install', '--no-input', '--disable-pip-version-check', '--progress-bar', 'off'];
    await runToEnd(python, [...pip, '--no-deps', '--target', join(dir, 'python'), ...distributions]);
  });
}

await printIfMain(import.meta.url, prepareOldSdks);
