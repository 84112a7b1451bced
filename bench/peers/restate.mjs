// Restate: a workflow with two steps that waits for a promise. Its server comes from its npm package; runs from the cache that
// bench/peers.mjs installs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http2';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as restate from '@restatedev/restate-sdk';
import { serveParent } from './child.mjs';
import { repeat } from './load.mjs';

// The SDK calls what Node 20 does not have yet.
Promise.withResolvers ??= function withResolvers() {
  /** @type {any} */
  const made = {};
  made.promise = new this((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
};

/** @type {Map<string, () => void>} */
const parked = new Map();
let ingress = '';
let stop = async () => {};

const task = restate.workflow({
  name: 'task',
  handlers: {
    run: async (ctx, question) => {
      await ctx.run('ask', () => question.length);
      parked.get(ctx.key)?.();
      const given = await ctx.promise('answer');
      return ctx.run('carry', () => given);
    },
    answer: (ctx, given) => ctx.promise('answer').resolve(given),
  },
});

const isOpen = (port) =>
  new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => done(true)).once('error', () => done(false));
    socket.once('connect', () => socket.destroy());
  });

async function untilOpen(port) {
  for (const until = performance.now() + 60_000; !(await isOpen(port)); await pause(100))
    if (performance.now() > until) throw new Error(`nothing listens on ${port}`);
}

async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => server.address().port);
  for (const server of servers) server.close();
  return ports;
}

async function start({ dataDir }) {
  const [ingressPort, adminPort, nodePort, ownPort] = await freePorts(4);
  const bin = join(
    createRequire(import.meta.url).resolve('@restatedev/restate-server/package.json'),
    '../lib/index.js',
  );
  const server = spawn(process.execPath, [bin, '--base-dir', join(dataDir, 'restate')], {
    stdio: 'ignore',
    detached: true,
    env: {
      ...process.env,
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingressPort}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${adminPort}`,
      RESTATE_BIND_ADDRESS: `127.0.0.1:${nodePort}`,
      RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${nodePort}`,
      RESTATE_LISTEN_MODE: 'tcp',
      RESTATE_DISABLE_TELEMETRY: 'true',
      DO_NOT_TRACK: '1',
    },
  });
  const service = createServer(restate.createEndpointHandler({ services: [task], logger: () => {} })).listen(
    ownPort,
    '127.0.0.1',
  );
  stop = async () => {
    service.close();
    // The program it starts is its child: both are of this group.
    if (server.pid !== undefined) process.kill(-server.pid, 'SIGKILL');
  };
  await untilOpen(adminPort);
  await untilOpen(ingressPort);
  ingress = `http://127.0.0.1:${ingressPort}`;
  await post(`http://127.0.0.1:${adminPort}/deployments`, { uri: `http://127.0.0.1:${ownPort}` });
}

async function post(url, body) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
}

async function park(id) {
  const startedAt = performance.now();
  const isParked = new Promise((resolve) => parked.set(id, () => resolve(undefined)));
  await post(`${ingress}/task/${id}/run/send`, 'Which colour?');
  await isParked;
  parked.delete(id);
  return performance.now() - startedAt;
}

async function answer(id) {
  const startedAt = performance.now();
  await post(`${ingress}/task/${id}/answer`, { colour: 'green' });
  const response = await fetch(`${ingress}/restate/workflow/task/${id}/attach`);
  if (!response.ok) throw new Error(`attach: ${response.status} ${await response.text()}`);
  await response.text();
  return performance.now() - startedAt;
}

serveParent(
  {
    start,
    park: ({ ids, ...bounds }) => repeat(ids, bounds, park),
    answer: ({ ids, ...bounds }) => repeat(ids, bounds, answer),
  },
  () => stop(),
);
