import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { startTcpProxy, type TcpProxy } from '../rigs/process/tcp-proxy.ts';
import { waitFor } from '../rigs/wait-for.ts';

let server: Server;
let proxy: TcpProxy;
beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  proxy = await startTcpProxy({ port: address.port });
});
afterAll(async () => {
  await proxy.close();
  server.close();
});

interface Echo {
  socket: Socket;
  received(): string;
  error(): string | null;
}

function open(): Echo {
  const socket = connect(proxy.port, '127.0.0.1');
  let received = '';
  let error: string | null = null;
  socket.on('data', (chunk) => (received += chunk.toString()));
  socket.on('error', (cause: NodeJS.ErrnoException) => (error = cause.code ?? cause.message));
  return { socket, received: () => received, error: () => error };
}

describe('the TCP proxy', () => {
  test('the TCP proxy carries bytes both ways', async () => {
    const echo = open();
    echo.socket.write('hello');
    await waitFor(() => echo.received() === 'hello', 2_000, 'the echo');
    echo.socket.end();
    await once(echo.socket, 'close');
  });

  test('the TCP proxy cuts the connections of now and takes new ones', async () => {
    const echo = open();
    echo.socket.write('a');
    await waitFor(() => echo.received() === 'a', 2_000, 'the echo');
    proxy.cut();
    await waitFor(() => echo.error() === 'ECONNRESET', 2_000, 'the cut');
    const next = open();
    next.socket.write('b');
    await waitFor(() => next.received() === 'b', 2_000, 'the echo after the cut');
    next.socket.destroy();
  });

  test('the TCP proxy refuses, and accepts again at the same port', async () => {
    await proxy.refuse();
    const refused = open();
    await waitFor(() => refused.error() === 'ECONNREFUSED', 2_000, 'the refusal');
    await proxy.accept();
    const taken = open();
    taken.socket.write('c');
    await waitFor(() => taken.received() === 'c', 2_000, 'the echo');
    taken.socket.destroy();
  });

  test('the TCP proxy stalls without closing, then delivers everything in order', async () => {
    const echo = open();
    proxy.stall();
    for (let i = 0; i < 5; i += 1) echo.socket.write(`${i} `);
    await expect(waitFor(() => echo.received() !== '', 150, 'a byte')).rejects.toThrow('a byte');
    proxy.flow();
    await waitFor(() => echo.received() === '0 1 2 3 4 ', 2_000, 'what was stalled');
    echo.socket.destroy();
  });

  test('the TCP proxy delays bytes and keeps their order', async () => {
    proxy.delay(60);
    const echo = open();
    const startedAt = performance.now();
    for (let i = 0; i < 20; i += 1) echo.socket.write(`${i},`);
    await waitFor(() => echo.received().endsWith('19,'), 3_000, 'the delayed echo');
    proxy.delay(0);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(115);
    expect(echo.received()).toBe(Array.from({ length: 20 }, (_, i) => `${i},`).join(''));
    echo.socket.destroy();
  });
});
