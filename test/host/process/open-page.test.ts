import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { openPage, whyNotOpened } from '../../../src/host/process/open-page.ts';
import { waitFor } from '../../rigs/wait-for.ts';

const desk = { platform: 'linux' as const, isTTY: true, env: { DISPLAY: ':0' } };

// Promise ST10
describe('the first page', () => {
  test('the first page is opened for a person at a screen of this machine', () => {
    expect(whyNotOpened(desk)).toBeNull();
    expect(whyNotOpened({ ...desk, env: { WAYLAND_DISPLAY: 'wayland-0' } })).toBeNull();
    for (const platform of ['darwin', 'win32'] as const)
      expect(whyNotOpened({ ...desk, platform, env: {} })).toBeNull();
  });

  test.each([
    ['no terminal', { isTTY: false }],
    ['CI is set', { env: { DISPLAY: ':0', CI: 'true' } }],
    ['over SSH', { env: { DISPLAY: 'localhost:10.0', SSH_CONNECTION: '192.0.2.1 50000 192.0.2.2 22' } }],
    ['over SSH', { platform: 'darwin' as const, env: { SSH_TTY: '/dev/pts/1' } }],
    ['no display', { env: {} }],
    ['STANDFAST_NO_OPEN is set', { env: { DISPLAY: ':0', STANDFAST_NO_OPEN: '1' } }],
  ])('the first page is not opened, and the reason is named: %s', (why, change) => {
    expect(whyNotOpened({ ...desk, ...change })).toBe(why);
  });

  test('the first page is opened by the command of the desktop, whose lack is not an error', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'standfast-open-'));
    try {
      const opened = join(dir, 'opened');
      await writeFile(join(dir, 'xdg-open'), `#!/bin/sh\nprintf '%s' "$1" > '${opened}'\n`);
      await chmod(join(dir, 'xdg-open'), 0o755);
      openPage('http://127.0.0.1:8600', { platform: 'linux', env: { PATH: dir } });
      const read = (): Promise<string | undefined> => readFile(opened, 'utf8').catch(() => undefined);
      await waitFor(async () => ((await read()) === 'http://127.0.0.1:8600' ? true : undefined), 10_000, 'the page');
      openPage('http://127.0.0.1:8600', { platform: 'linux', env: { PATH: join(dir, 'nothing') } });
    } finally {
      await rm(dir, { recursive: true });
    }
  });
});
