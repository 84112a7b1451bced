import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import type { Client } from 'pg';
import { startListener } from '../../../src/store/feeds/notify.ts';
import { leastBoundMs, waitFor } from '../../rigs/wait-for.ts';

/** As the driver's, on a database that is there or not. */
class FakeClient extends EventEmitter {
  isThere: () => boolean;
  constructor(isThere: () => boolean) {
    super();
    this.isThere = isThere;
  }
  async connect(): Promise<void> {
    if (!this.isThere()) throw new Error('connect ECONNREFUSED');
  }
  async query(): Promise<void> {}
  async end(): Promise<void> {}
}

test('a listener that cannot connect logs it once, until it was connected again', async () => {
  const lines: string[] = [];
  const clients: FakeClient[] = [];
  let isThere = true;
  let connected = 0;
  const listener = startListener({
    newClient() {
      const client = new FakeClient(() => isThere);
      clients.push(client);
      return client as unknown as Client;
    },
    sender: 'a',
    onChanges: () => undefined,
    onConnected: () => (connected += 1),
    log: (_level, message) => void lines.push(message),
  });
  for (const outage of [1, 2]) {
    await waitFor(() => connected === outage, leastBoundMs, 'a connection');
    isThere = false;
    const before = clients.length;
    clients.at(-1)?.emit('end');
    await waitFor(() => clients.length >= before + 3, leastBoundMs, 'three tries to connect');
    isThere = true;
    expect(lines).toEqual(Array.from({ length: outage }, () => 'no longer listening for new events; connecting again'));
  }
  await listener.close();
});
