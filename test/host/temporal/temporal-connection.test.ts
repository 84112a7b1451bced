import { expect, test } from '@jest/globals';
import { lastingConnection, localTarget } from '../../../src/host/temporal/temporal-connection.ts';

// After an outage of a minute the client of grpc-js alone came back 33 s after its server, this one 2 s.
test('a client that outlives an outage of Temporal waits at most five seconds between two tries to connect', () => {
  expect(lastingConnection(localTarget('127.0.0.1:7233'))).toMatchObject({
    address: '127.0.0.1:7233',
    channelArgs: { 'grpc.max_reconnect_backoff_ms': 5_000 },
  });
});
