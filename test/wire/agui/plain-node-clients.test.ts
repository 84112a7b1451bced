// The real clients of AG-UI in plain Node, without a bundler and without jest's own way to load modules: which of them apply patches.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { root } from '../../source-tree.ts';

const program = (load: string): string => `
  import { createServer } from 'node:http';
  import { createRequire } from 'node:module';
  const require = createRequire(process.cwd() + '/');
  const { HttpAgent } = ${load};
  const events = [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    { type: 'STATE_SNAPSHOT', snapshot: { n: 1 } },
    { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/n', value: 2 }] },
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
  ];
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(events.map((event) => 'data: ' + JSON.stringify(event) + '\\n\\n').join(''));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const agent = new HttpAgent({ url: 'http://127.0.0.1:' + server.address().port + '/' });
  await agent.runAgent({});
  process.stdout.write(JSON.stringify(agent.state));
  server.close();
`;

// Promise G11
test.each([
  ['1.0.0 as an ES module', "await import('@ag-ui/client')", 2],
  ['1.0.0 by require', "require('@ag-ui/client')", 2],
  ['0.0.59 as an ES module', "await import('ag-ui-client-0059')", 2],
  // It imports fast-json-patch as a namespace, which in Node has no applyPatch: it warns, and its state stays behind.
  ['0.0.52 as an ES module', "await import('ag-ui-client-0052')", 1],
  ['0.0.52 by require', "require('ag-ui-client-0052')", 2],
])('the client %s has what docs/front-ends.md tells after a patch of the state', async (_name, load, n) => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program(load)], {
    cwd: root,
  });
  expect(JSON.parse(stdout)).toEqual({ n });
});
