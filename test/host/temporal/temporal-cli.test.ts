import { createServer, type Server } from 'node:http';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  resolveTemporal,
  type ResolveTemporalOptions,
  type TemporalSource,
} from '../../../src/host/temporal/temporal-cli.ts';

const systemPath = '/usr/bin:/bin';
const program = '#!/bin/sh\necho "temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)"\n';
let home = '';
let web: Server;
let respond: 'archive' | 'missing' | 'silence' | 'cut' = 'missing';
let archive: Buffer;

beforeAll(async () => {
  const dir = mkdtempSync(join(tmpdir(), 'standfast-archive-'));
  writeFileSync(join(dir, 'temporal'), program, { mode: 0o755 });
  writeFileSync(join(dir, 'LICENSE'), 'MIT');
  archive = execFileSync('tar', ['-czf', '-', '-C', dir, 'LICENSE', 'temporal']);
  rmSync(dir, { recursive: true });
  web = createServer((request, response) => {
    if (request.url === '/moved') response.writeHead(302, { location: '/archive' }).end();
    else if (respond === 'archive') response.end(archive);
    else if (respond === 'missing') response.writeHead(404).end();
    else if (respond === 'cut')
      response
        .writeHead(200, { 'content-length': archive.length })
        .write(archive.subarray(0, archive.length / 2), () => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(web, 'listening');
});
afterAll(() => {
  web.closeAllConnections();
  web.close();
});
beforeEach(() => {
  respond = 'missing';
  home = mkdtempSync(join(tmpdir(), 'standfast-cli-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** An executable of the sandbox with scripted answers. */
function put(path: string, text: string = program): string {
  mkdirSync(join(home, path, '..'), { recursive: true });
  writeFileSync(join(home, path), text, { mode: 0o755 });
  return join(home, path);
}

const resolveHere = (
  env: NodeJS.ProcessEnv = {},
  options: Partial<ResolveTemporalOptions> = {},
): Promise<TemporalSource> =>
  resolveTemporal({
    env: { HOME: home, PATH: `${join(home, 'path')}:${systemPath}`, ...env },
    download: {
      url: `http://127.0.0.1:${(web.address() as AddressInfo).port}/moved`,
      sha256: createHash('sha256').update(archive).digest('hex'),
    },
    ...options,
  });
const whyNot = (...given: Parameters<typeof resolveHere>): Promise<string> =>
  resolveHere(...given).then(() => 'it was found', String);

describe('the Temporal server is found', () => {
  test('the Temporal server is found at TEMPORAL_ADDRESS before anything else', async () => {
    expect(await resolveHere({ TEMPORAL_ADDRESS: 'temporal:7233', TEMPORAL_CLI: '/none' })).toEqual({
      use: 'address',
      address: 'temporal:7233',
    });
  });

  test('the Temporal server is found by the program that TEMPORAL_CLI names', async () => {
    const path = put('mine/temporal-cli');
    put('path/temporal');
    expect(await resolveHere({ TEMPORAL_CLI: path })).toEqual({ use: 'cli', path, from: 'TEMPORAL_CLI' });
  });

  test.each([
    ['/none/temporal', /TEMPORAL_CLI=\/none\/temporal is not an executable file/],
    ['/bin/true', /TEMPORAL_CLI=\/bin\/true is not the Temporal CLI/],
  ])('the Temporal server is not found by another way when TEMPORAL_CLI is %s', async (named, expected) => {
    put('path/temporal');
    await expect(resolveHere({ TEMPORAL_CLI: named })).rejects.toThrow(expected);
  });

  test('the Temporal server is found on the PATH', async () => {
    const path = put('path/temporal');
    put('.cache/standfast/bin/temporal');
    expect(await resolveHere()).toEqual({ use: 'cli', path, from: 'PATH' });
  });

  test('the Temporal server is found in the cache, also when a broken one is on the PATH', async () => {
    put('path/temporal', '#!/bin/sh\nexit 1\n');
    const path = put('.cache/standfast/bin/temporal');
    expect(await resolveHere()).toEqual({ use: 'cli', path, from: 'cache' });
  });

  test('the Temporal server is found in the cache that XDG_CACHE_HOME names', async () => {
    const path = put('xdg/standfast/bin/temporal');
    expect(await resolveHere({ XDG_CACHE_HOME: join(home, 'xdg') })).toEqual({ use: 'cli', path, from: 'cache' });
  });
});

describe('the Temporal CLI is fetched', () => {
  const cached = (): string => join(home, '.cache/standfast/bin/temporal');

  test('the Temporal CLI is fetched as the official release, once', async () => {
    respond = 'archive';
    expect(await resolveHere()).toEqual({ use: 'cli', path: cached(), from: 'download' });
    expect(await resolveHere()).toEqual({ use: 'cli', path: cached(), from: 'cache' });
    expect(readdirSync(join(home, '.cache/standfast/bin'))).toEqual(['temporal']);
  });

  test('the Temporal CLI is fetched by building it with Go when the download fails, and says what takes so long', async () => {
    put(
      'path/go',
      `#!/bin/sh\necho "$@" > "${home}/asked"\nprintf '%s\\n' '${program.replaceAll('\n', "' '")}' > "$GOBIN/temporal"\nchmod +x "$GOBIN/temporal"\n`,
    );
    const logged: string[] = [];
    expect(await resolveHere({}, { onProgress: (message) => logged.push(message) })).toEqual({
      use: 'cli',
      path: cached(),
      from: 'go',
    });
    expect(readFileSync(join(home, 'asked'), 'utf8')).toBe(
      'install -v github.com/temporalio/cli/cmd/temporal@v1.5.1\n',
    );
    expect(logged).toEqual([expect.stringContaining('downloading'), expect.stringContaining('about two minutes')]);
  });

  test('the Temporal CLI is built with a line that counts on as Go names the packages that it has compiled', async () => {
    const names = 'for i in $(seq 500); do echo "go.temporal.io/server/part$i" >&2; done';
    put('path/go', `#!/bin/sh\n${names}\nexit 1\n`);
    const logged: [string, boolean][] = [];
    await whyNot({}, { onProgress: (message, isFurther = false) => logged.push([message, isFurther]) });
    const further = logged.filter(([, isFurther]) => isFurther).map(([message]) => message);
    expect(further[0]).toMatch(/^building the Temporal CLI with Go: 5 % \(\d+ s\)$/);
    expect(further.at(-1)).toMatch(/: 35 % /);
  });

  test('the Temporal CLI is fetched, or the user learns what was tried and what to do', async () => {
    put('path/go', '#!/bin/sh\necho "go: no route to host" >&2\nexit 1\n');
    const problem = await whyNot();
    expect(problem).toMatch(/TEMPORAL_CLI=[^]*TEMPORAL_ADDRESS=[^]*install Go/);
    expect(problem).toMatch(/download: .*HTTP status 404/);
    expect(problem).toMatch(/build with Go: .*no route to host/);
    expect(existsSync(cached())).toBe(false);
    expect(readdirSync(join(home, '.cache/standfast/bin'))).toEqual([]);
  });

  test('the Temporal CLI is not fetched where the PATH is empty, and each program that is missing is named with what to do', async () => {
    respond = 'archive';
    const logged: string[] = [];
    const problem = await whyNot({ PATH: '' }, { onProgress: (message) => logged.push(message) });
    expect(logged).toEqual([expect.stringMatching(/^downloading the Temporal CLI/)]);
    expect(problem).toMatch(
      /1\. install the Temporal CLI .*TEMPORAL_CLI=[^]*2\. .*TEMPORAL_ADDRESS=[^]*3\. install Go/,
    );
    expect(problem).toMatch(/download: .*there is no `tar` on the PATH to unpack it: install tar/);
    expect(problem).toMatch(/build with Go: there is no `go` on the PATH/);
    expect(readdirSync(join(home, '.cache/standfast/bin'))).toEqual([]);
  });

  test('the Temporal CLI is never fetched from an archive that is not the one of the release', async () => {
    respond = 'archive';
    const given = createHash('sha256').update(archive).digest('hex');
    const whole = archive;
    archive = Buffer.concat([archive, Buffer.from('more')]);
    const download = { url: `http://127.0.0.1:${(web.address() as AddressInfo).port}/archive`, sha256: given };
    const problem = await whyNot({}, { download });
    archive = whole;
    expect(problem).toMatch(new RegExp(`download: .*SHA-256 is [0-9a-f]{64}, expected ${given}: it is not run`));
    expect(existsSync(cached())).toBe(false);
  });

  test('the Temporal CLI is not fetched from a download that is cut, nor without a network, and the next start fetches it whole', async () => {
    respond = 'cut';
    expect(await whyNot()).toMatch(/download: http:\S+: (other side closed|terminated|aborted)/);
    const download = { url: 'https://127.0.0.1:1/archive', sha256: '0'.repeat(64) };
    expect(await whyNot({}, { download })).toMatch(/download: https:\S+: .*ECONNREFUSED/);
    expect(readdirSync(join(home, '.cache/standfast/bin'))).toEqual([]);
    respond = 'archive';
    expect(await resolveHere()).toEqual({ use: 'cli', path: cached(), from: 'download' });
  });

  test('the Temporal CLI is not fetched from what is not an archive, and a missing Go is named', async () => {
    respond = 'archive';
    const whole = archive;
    archive = Buffer.from('<html>please log in</html>');
    const problem = await whyNot();
    archive = whole;
    expect(problem).toMatch(/download: .*tar failed/);
    expect(problem).toMatch(/there is no `go` on the PATH/);
  });

  test('the Temporal CLI is fetched only as long as the user waits', async () => {
    respond = 'silence';
    const stop = new AbortController();
    const asked = resolveHere({}, { signal: stop.signal, onProgress: () => stop.abort(new Error('stopped')) });
    await expect(asked).rejects.toThrow('stopped');
  });
});
