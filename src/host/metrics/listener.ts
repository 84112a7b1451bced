// A port for scrapers and probes alone: no key, and nothing on it but numbers.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface MetricsListener {
  url: string;
  stop(): Promise<void>;
}

interface MetricsListenerOptions {
  host: string;
  port: number;
  /** The text of all metrics, in Prometheus' format. */
  metrics(): Promise<string>;
  /** Why the process is not well; null: it is. */
  fault(): Promise<string | null>;
}

const textType = 'text/plain; version=0.0.4; charset=utf-8';

/** Serves `GET /metrics` and `GET /healthz`; rejects with a plain message if the port is taken. */
export async function startMetricsListener(options: MetricsListenerOptions): Promise<MetricsListener> {
  const { host, port, metrics, fault } = options;
  const answer = async (path: string): Promise<{ status: number; text: string }> => {
    if (path === '/metrics') return { status: 200, text: await metrics() };
    if (path !== '/healthz') return { status: 404, text: 'not found\n' };
    const why = await fault();
    return why === null ? { status: 200, text: 'ok\n' } : { status: 503, text: `${why}\n` };
  };
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    answer(request.method === 'GET' ? path : '')
      .catch(() => ({ status: 500, text: 'the metrics cannot be read\n' }))
      .then(({ status, text }) => response.writeHead(status, { 'content-type': textType }).end(text))
      .catch(() => undefined);
  });
  server.requestTimeout = 10_000;
  await listen(server, host, port);
  // Safe: a server on a TCP port.
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`the port of the metrics, ${port} on ${host}, is taken: set STANDFAST_METRICS_PORT`)
          : error,
      ),
    );
    server.listen(port, host, resolve);
  });
}
