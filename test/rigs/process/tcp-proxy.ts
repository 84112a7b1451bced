// A TCP proxy with faults, between two parts that believe they talk to each other.

import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** `127.0.0.1:port` */
  address: string;
  /** Destroys the connections of now (RST); new ones are let through. */
  cut(): void;
  /** Destroys the connections and refuses new ones, as if there were no listener, until `accept()`. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  /** Bytes stop flowing in both directions, connections stay; also for new ones, until `flow()`. */
  stall(): void;
  flow(): void;
  /** Every byte comes this much later from now on. */
  delay(ms: number): void;
  /** Connections open now. */
  connections(): number;
  /** Connections ever accepted. */
  accepted(): number;
  close(): Promise<void>;
}

interface Pair {
  near: Socket;
  far: Socket;
  /** Moves on what waits in both directions. */
  move(): void;
}

export async function startTcpProxy(target: { port: number; host?: string }, port = 0): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let isStalled = false;
  let delayMs = 0;
  let accepted = 0;

  /** Carries one direction through a queue: bytes leave in order, each when it is due, none while stalled. */
  const carry = (from: Socket, to: Socket): (() => void) => {
    const queue: { dueAt: number; act: () => void }[] = [];
    let timer: NodeJS.Timeout | null = null;
    const move = (): void => {
      if (timer) clearTimeout(timer);
      timer = null;
      if (isStalled) return;
      for (let head = queue[0]; head; head = queue[0]) {
        const waitMs = head.dueAt - performance.now();
        if (waitMs > 0) {
          timer = setTimeout(move, Math.ceil(waitMs));
          return;
        }
        queue.shift();
        head.act();
      }
    };
    const later = (act: () => void): void => {
      queue.push({ dueAt: performance.now() + delayMs, act });
      move();
    };
    from.on('data', (chunk) => {
      later(() => {
        if (!to.destroyed && !to.write(chunk)) from.pause();
      });
    });
    to.on('drain', () => from.resume());
    from.on('end', () => later(() => to.end()));
    return move;
  };
  const onConnection = (near: Socket): void => {
    accepted += 1;
    const far = connect({ host: target.host ?? '127.0.0.1', port: target.port, allowHalfOpen: true });
    const moves = [carry(near, far), carry(far, near)];
    const pair: Pair = { near, far, move: () => moves.forEach((move) => move()) };
    pairs.add(pair);
    const drop = (): void => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    near.on('error', drop).on('close', drop);
    far.on('error', drop).on('close', drop);
  };
  const cut = (): void => {
    for (const { near, far } of pairs) {
      near.resetAndDestroy();
      far.resetAndDestroy();
    }
  };

  let server = await listen(onConnection, port);
  const boundPort = portOf(server);
  return {
    port: boundPort,
    address: `127.0.0.1:${boundPort}`,
    cut,
    async refuse() {
      await stopListening(server, cut);
    },
    async accept() {
      if (!server.listening) server = await listen(onConnection, boundPort);
    },
    stall() {
      isStalled = true;
    },
    flow() {
      isStalled = false;
      for (const pair of pairs) pair.move();
    },
    delay(ms) {
      delayMs = ms;
    },
    connections: () => pairs.size,
    accepted: () => accepted,
    close: () => stopListening(server, cut),
  };
}

async function listen(onConnection: (socket: Socket) => void, port: number): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, onConnection);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function stopListening(server: Server, cut: () => void): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  cut();
  await closed;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return address.port;
}
