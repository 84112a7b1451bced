import { createServer } from 'node:net';

const listen = (port: number, host: string): Promise<number | null> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(null));
    probe.listen({ port, host, exclusive: true }, () => {
      const address = probe.address();
      const bound = typeof address === 'object' && address !== null ? address.port : null;
      probe.close(() => resolve(bound));
    });
  });

export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return (await listen(port, host)) !== null;
}

/** The first of the requested ports that is free, or any free one that is not in `not`. */
export async function choosePort(
  requested: readonly number[],
  { not = [], host = '127.0.0.1' }: { not?: readonly number[]; host?: string } = {},
): Promise<number> {
  for (const port of requested) if (!not.includes(port) && (await isPortFree(port, host))) return port;
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const port = await listen(0, host);
    if (port !== null && !not.includes(port)) return port;
  }
  throw new Error(`no free port on ${host}`);
}
