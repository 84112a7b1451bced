// A stopping process: what it was asked before is answered, what comes after meets another one.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { CallResult } from '../../../src/api/engine/task-client.ts';
import type { DecideReply } from '../../../src/contract/holds/decision.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { aHold, aTask, freshThread, type Rig } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const api = describeApi();
let rig: Rig;
let url: string;
beforeEach(async () => {
  rig = await api.another();
  url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => rig.close());

async function aSlowDecision() {
  const task = await aTask(rig.store, freshThread(), { status: 'NEEDS_REVIEW' });
  const hold = await aHold(rig.store, task);
  let confirm: (result: CallResult<DecideReply>) => void = () => undefined;
  let isAsked = false;
  rig.tasks.decide = () => {
    isAsked = true;
    return new Promise((resolve) => (confirm = resolve));
  };
  const answer = fetch(`${url}/api/holds/${hold.holdId}/decision`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'cancelled', reason: 'no' }),
  });
  await waitFor(() => isAsked, 5_000, 'the decision at the workflow');
  return { answer, confirm: () => confirm({ kind: 'unanswered', by: 'worker' }) };
}

const isOpen = async (): Promise<boolean> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};

// Promise W20
describe('a process that is asked to stop', () => {
  test('a process that is asked to stop answers the decision that it was asked to take before', async () => {
    const { answer, confirm } = await aSlowDecision();
    const closed = rig.app.close();
    await waitFor(async () => !(await isOpen()), 5_000, 'the end of listening');
    confirm();
    expect((await answer).status).toBe(503);
    await closed;
  });

  test('a process that is asked to stop waits for its last answers no longer than a few seconds', async () => {
    const { answer } = await aSlowDecision();
    const refused = expect(answer).rejects.toThrow();
    await rig.app.close();
    await refused;
  });
});
