import { expect, test } from '@jest/globals';
import type { SurfaceCallback } from '../../../src/surfaces/base/surface.ts';
import { connectSlack } from '../../../src/surfaces/slack/slack-socket.ts';
import { createEgress } from '../../../src/host/net/egress.ts';
import { createGuardedDispatcher } from '../../../src/host/net/guarded-fetch.ts';
import { openEgress } from '../../rigs/open-egress.ts';
import { startFakeSocket } from '../../rigs/surfaces/fake-slack-socket.ts';
import { waitFor } from '../../rigs/wait-for.ts';

test('The WebSocket whose address Slack names goes nowhere that egress denies', async () => {
  const appToken = 'xapp-of-the-tests';
  const socket = await startFakeSocket(appToken);
  const refused: string[] = [];
  const denying = createEgress({ deny: ['private'], allow: [] });
  const check = (host: string): void => {
    refused.push(host);
    denying.check(host);
  };
  const dispatcher = createGuardedDispatcher({ ...denying, check });
  const connection = connectSlack({ appToken, apiUrl: socket.apiUrl }, { fetch, dispatcher }, async () => null);
  connection.connected.catch(() => undefined);
  try {
    await waitFor(() => refused.length > 0, 30_000, 'the address is judged');
    expect(refused).toEqual(['127.0.0.1']);
    expect(socket.isConnected()).toBe(false);
  } finally {
    await connection.stop();
    await dispatcher.destroy();
    await socket.close();
  }
});

test('Callbacks over Socket Mode are read, answered once each, and acknowledged with the answer', async () => {
  const appToken = 'xapp-of-the-tests';
  const socket = await startFakeSocket(appToken);
  const got: { callback: SurfaceCallback; id: string }[] = [];
  const dispatcher = createGuardedDispatcher(openEgress);
  const { connected, stop } = connectSlack(
    { appToken, apiUrl: socket.apiUrl },
    { fetch, dispatcher },
    async (callback, id) => {
      got.push({ callback, id });
      return callback.kind === 'list' ? { text: 'Nothing waits for you.' } : null;
    },
  );
  try {
    await connected;
    const value = JSON.stringify({ h: 'hold-1', d: 'sha256:1' });
    const actions = [{ type: 'button', action_id: 'yes', value }];
    const payload = { type: 'block_actions', user: { id: 'U1' }, trigger_id: 'T1', container: {}, actions };
    socket.send({ type: 'interactive', envelope_id: 'e1', accepts_response_payload: true, payload });
    const command = { command: '/standfast', user_id: 'U1' };
    socket.send({ type: 'slash_commands', envelope_id: 'e2', accepts_response_payload: true, payload: command });
    await waitFor(() => socket.acknowledged.length === 2, 30_000, 'both envelopes are acknowledged');
    expect(got).toMatchObject([
      { id: 'e1', callback: { kind: 'pressed', person: 'U1', holdId: 'hold-1', digest: 'sha256:1', choice: 'yes' } },
      { id: 'e2', callback: { kind: 'list', person: 'U1' } },
    ]);
    expect(socket.acknowledged).toMatchObject([
      { envelope_id: 'e1' },
      { envelope_id: 'e2', payload: { text: 'Nothing waits for you.' } },
    ]);
  } finally {
    await stop();
    await dispatcher.destroy();
    await socket.close();
  }
});
