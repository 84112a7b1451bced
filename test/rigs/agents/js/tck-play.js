// What the public A2A TCK asks of the agent that it is run against: each message says by the beginning of its id what is to
// become of its task. Standfast is between the two, and has message ids of its own, so the id comes as metadata.
import { setTimeout as wait } from 'node:timers/promises';
import { Message } from '@a2a-js/sdk';
import { AgentEvent } from '@a2a-js/sdk/server';

/** Where scripts/tck.mjs writes the id of a message. */
export const tckKey = 'tck';

/** Twice what the TCK waits for the next event of a stream. */
const longMs = 5_000;

const file = (rest) => [{ filename: 'output.txt', mediaType: 'text/plain', ...rest }];
const raw = file({ raw: Buffer.from('tck').toString('base64') });
const worked = (parts) => async (say) => {
  say.status('WORKING');
  say.artifact('output', parts);
  say.status('COMPLETED');
};
const made = (parts) => async (say) => {
  say.artifact('output', parts);
  say.status('COMPLETED');
};

/** By prefix; the longer before the shorter. */
const scenes = [
  ['tck-complete-task', async (say) => say.status('COMPLETED', [{ text: 'Hello from TCK' }])],
  ['tck-artifact-text', made([{ text: 'Generated text content' }])],
  ['tck-artifact-file-url', made(file({ url: 'https://example.com/output.txt' }))],
  ['tck-artifact-file', made(raw)],
  ['tck-artifact-data', made([{ data: { key: 'value', count: 42 } }])],
  ['tck-input-required', async (say) => say.status('INPUT_REQUIRED')],
  ['tck-reject-task', async (say) => say.status('REJECTED', [{ text: 'rejected' }])],
  ['tck-stream-001', worked([{ text: 'Stream hello from TCK' }])],
  ['tck-stream-002', async (say) => say.status('COMPLETED')],
  ['tck-stream-003', worked([{ text: 'Stream task lifecycle' }])],
  ['tck-stream-ordering-001', worked([{ text: 'Ordered output' }])],
  ['tck-stream-artifact-text', worked([{ text: 'Streamed text content' }])],
  ['tck-stream-artifact-file', worked(raw)],
  [
    'tck-stream-artifact-chunked',
    async (say) => {
      say.status('WORKING');
      const add = say.artifact('output', [{ text: 'chunk-1 ' }], { isOpen: true });
      add([{ text: 'chunk-2' }]);
      say.status('COMPLETED');
    },
  ],
  [
    'test-resubscribe-message-id',
    async (say) => {
      say.status('WORKING');
      await wait(longMs);
      say.status('COMPLETED');
    },
  ],
  ['tck-', async (say) => say.status('COMPLETED', [{ text: 'An id that no scene begins with' }])],
  // The TCK of 0.3 goes on with tasks of which it knows nothing but that they are not over.
  ['', async (say) => say.status('INPUT_REQUIRED', [{ text: 'What else?' }])],
];

export function tckPlay(speaker) {
  return async (context, bus, manner) => {
    const id = String(context.userMessage.metadata?.[tckKey] ?? '');
    if (id.startsWith('tck-message-response')) {
      const parts = [{ text: 'Direct message response' }];
      const names = { messageId: `reply-${id}`, contextId: context.contextId };
      return bus.publish(AgentEvent.message(Message.fromJSON({ ...names, role: 'ROLE_AGENT', parts })));
    }
    const [, play] = scenes.find(([prefix]) => id.startsWith(prefix));
    return play(speaker(context, bus, manner));
  };
}
