import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../../source-tree.ts';

// Promise T20
test('a process that is sent SIGHUP, and has no terminal that could be closed, reads again each time and lives on', async () => {
  const script = `
    import { onHangup } from ${JSON.stringify(pathToFileURL(join(root, 'src/host/process/shutdown.ts')).href)};
    onHangup(() => console.log('again'));
    setInterval(() => undefined, 1000);
    console.log('ready');`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe('ready');
    for (const _time of [1, 2]) {
      child.kill('SIGHUP');
      expect((await lines.next()).value).toBe('again');
    }
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});
