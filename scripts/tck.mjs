// Runs the public A2A TCK (github.com/a2aproject/a2a-tck) against `standfast up` with an agent that does what the TCK asks of one:
//   node --import tsx scripts/tck.mjs --tck <checkout> --python <python that has what it needs> [-- more arguments of pytest]
// A checkout of its branch 1.0-dev tests A2A 1.0, one of 0.3.x tests 0.3: what is in it tells; of the latter
// `--transport rest` tests HTTP+JSON (1.0 is tested over both). `--only up` starts all but the TCK.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildOnce } from '../test/journeys/setting.ts';
import { startUp } from '../test/rigs/product/standfast.ts';
import { startJsAgent } from '../test/rigs/agents/js-agent.ts';
import { tckKey } from '../test/rigs/agents/js/tck-play.js';
import { createSupervisor } from '../test/rigs/process/supervisor.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tck: { type: 'string' },
    python: { type: 'string', default: 'python3' },
    only: { type: 'string' },
    transport: { type: 'string', default: 'jsonrpc' },
  },
});
const dir = resolve(options.tck ?? '.');
const isNew = existsSync(join(dir, 'tests/compatibility'));
if (!existsSync(join(dir, 'run_tck.py'))) throw new Error(`--tck: ${dir} is not a checkout of a2aproject/a2a-tck`);

let count = 0;

/**
 * The TCK says by the id of a message what the agent is to do, and the agent gets other ids: it reads this. And it gives all
 * messages of a kind the same id (`tck_id` in tck/requirements/base.py), which to Standfast is the same message again.
 */
function marked(text) {
  try {
    const body = JSON.parse(text);
    const message = body.params?.message ?? body.message;
    if (typeof message?.messageId !== 'string') return text;
    message.metadata = { ...message.metadata, [tckKey]: message.messageId };
    message.messageId += `-${(count += 1)}`;
    return JSON.stringify(body);
  } catch {
    return text;
  }
}

/** The TCK requests everything at the root of a host: what comes there goes to the agent's address. */
async function startFront(port) {
  const target = { url: '' };
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.from(marked(Buffer.concat(chunks).toString()));
      const path = request.url.replace(/^\/(a2a\/tck\/)?/, '/a2a/tck/');
      const { 'content-length': _, 'transfer-encoding': __, ...headers } = request.headers;
      // Without a version one gets the card of 0.3, says 1.0 (3.6.2); the TCK of 1.0 names none here, and wants that of 1.0.
      if (isNew && path.endsWith('.json')) headers['a2a-version'] ??= '1.0';
      const length = request.method === 'GET' ? {} : { 'content-length': body.length };
      const onward = send(
        new URL(path, target.url),
        { method: request.method, headers: { ...headers, ...length } },
        (answer) => {
          response.writeHead(answer.statusCode, answer.headers);
          answer.pipe(response);
        },
      );
      onward.on('error', () => response.destroy());
      response.on('close', () => onward.destroy());
      onward.end(request.method === 'GET' ? undefined : body);
    });
  });
  await new Promise((done) => server.listen(port, '127.0.0.1', done));
  return { target, close: () => server.close() };
}

function run(url) {
  const common = ['-p', 'no:cacheprovider', '-q', '-rsf', '--tb=short', ...positionals];
  const args = isNew
    ? ['tests/compatibility', `--sut-host=${url}`, '--transport=jsonrpc,http_json', '--webhook-host=127.0.0.1']
    : [
        'tests/mandatory',
        'tests/optional/capabilities',
        `--sut-url=${url}`,
        '--test-scope=all',
        `--transports=${options.transport}`,
      ];
  const child = spawn(options.python, ['-m', 'pytest', ...args, ...common], { cwd: dir, stdio: 'inherit' });
  return new Promise((done) => child.once('exit', (code) => done(code ?? 1)));
}

const supervisor = createSupervisor();
try {
  buildOnce();
  const agent = await startJsAgent(supervisor, 'tck');
  const port = await supervisor.freePort();
  const url = `http://127.0.0.1:${port}`;
  const front = await startFront(port);
  const up = await startUp(supervisor, {
    dataDir: await supervisor.tempDir('tck'),
    configText: [
      `server: { publicUrl: '${url}' }`,
      `agents: { tck: { url: '${agent.url}', policy: caller } }`,
      'policies: { caller: { ask: caller } }',
    ].join('\n'),
  });
  front.target.url = up.url;
  console.log(`Standfast in front of the TCK's agent: ${url}`);
  if (options.only === 'up') await new Promise(() => {});
  process.exitCode = await run(url);
  front.close();
} finally {
  await supervisor.end();
}
