// `standfast rebuild` at a Temporal that still lists the polls of a worker which has left: it says whom it waits for, and no longer.
import { createServer, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import proto from '@temporalio/proto';
import { rebuild } from '../../../src/cli/operate/rebuild.ts';

const { workflowservice: messages } = proto.temporal.api;
const worker = '17@gone';
let server: Http2Server;
/** How long ago Temporal saw the worker, each time that it is asked; the last one stays. */
let secondsAgo: number[];
let called: string[];
let printed: string;

const answers: Record<string, () => Uint8Array> = {
  DescribeTaskQueue() {
    const ago = (secondsAgo.length > 1 ? secondsAgo.shift() : secondsAgo[0]) ?? 0;
    const lastAccessTime = { seconds: Math.floor(Date.now() / 1000) - ago };
    const pollers = [{ identity: worker, lastAccessTime }];
    return messages.v1.DescribeTaskQueueResponse.encode({ pollers } as never).finish();
  },
  StartWorkflowExecution: () => messages.v1.StartWorkflowExecutionResponse.encode({ runId: 'r' }).finish(),
  DescribeWorkflowExecution: () =>
    messages.v1.DescribeWorkflowExecutionResponse.encode({
      workflowExecutionInfo: {
        execution: { workflowId: 'w', runId: 'r' },
        type: { name: 'rebuild' },
        status: 1,
        startTime: { seconds: 1 },
      },
      pendingWorkflowTask: { state: 1, attempt: 1 },
    } as never).finish(),
};
const refused = ['PollActivityTaskQueue'];
const without = ['GetWorkflowExecutionHistory'];

beforeEach(async () => {
  called = [];
  printed = '';
  server = createServer();
  server.on('stream', (stream, headers) => {
    const method = String(headers[':path']).split('/').at(-1) ?? '';
    called.push(method);
    stream.on('error', () => undefined);
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': refused.includes(method) ? '7' : '0' }));
    if (without.includes(method)) return;
    const body = answers[method]?.() ?? new Uint8Array();
    const head = Buffer.alloc(5);
    head.writeUInt32BE(body.length, 1);
    stream.end(refused.includes(method) ? undefined : Buffer.concat([head, body]));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  process.env['TEMPORAL_ADDRESS'] = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});
afterEach(async () => {
  jest.restoreAllMocks();
  delete process.env['TEMPORAL_ADDRESS'];
  await new Promise((done) => server.close(done));
});

const failureOf = (): Promise<string> =>
  rebuild({ dataDir: '', dryRun: false, agents: true, json: false }).then(
    () => 'none',
    (error: unknown) => String(error),
  );

test('a worker that was last seen longer ago than a poll can last is not waited for', async () => {
  secondsAgo = [200];
  expect(await failureOf()).toMatch(/no worker runs: start one, .*17@gone, seen by Temporal 20\d s ago/);
  expect(called).not.toContain('StartWorkflowExecution');
});

test('a worker that may still poll is named at once, and given up when it cannot be there any more', async () => {
  secondsAgo = [30, 30, 81];
  expect(await failureOf()).toMatch(/no worker runs: start one, .*17@gone, seen by Temporal 8\d s ago/);
  expect(printed).toMatch(/^waits for the worker: 17@gone, seen by Temporal 3\d s ago\n$/);
  expect(called.at(-1)).toBe('TerminateWorkflowExecution');
});
