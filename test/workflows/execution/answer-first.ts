// With one turn slot, taken, an answer's turn is queued behind fifty new ones.
import { expect } from '@jest/globals';
import { answer, type Core } from '../../rigs/engine/engine.ts';
import { waitFor } from '../../rigs/wait-for.ts';

export async function answerGoesFirst({ agent, engine }: Core): Promise<void> {
  const parked = await engine.open('form => complete');
  const hold = await parked.asked();
  const blocking = await engine.open('gate slot; complete');
  await agent.atGate('slot');
  const waiting = await Promise.all(Array.from({ length: 50 }, () => engine.open('complete')));
  await waitFor(
    async () => {
      const { pendingActivities } = (await waiting.at(-1)?.handle.describe())?.raw ?? {};
      return (pendingActivities ?? []).length === 1;
    },
    10_000,
    'the last of the new turns in the queue',
  );
  await parked.decide(answer(hold, { colour: 'green' }));
  await waitFor(
    async () => ((await parked.handle.describe()).raw.pendingActivities ?? []).length === 1,
    10_000,
    'its turn in the queue',
  );

  await agent.openGate('slot');
  await parked.status('DONE');
  await Promise.all([blocking, ...waiting].map((task) => task.status('DONE')));
  const arrived = (await agent.messages()).map(({ messageId }) => messageId);
  const after = arrived.slice(arrived.indexOf(blocking.messageId(1)) + 1);
  // A new one may have been on its way to the worker before.
  expect(after.indexOf(parked.messageId(2))).toBeLessThan(3);
  expect(after).toContain(parked.messageId(2));
  expect(after).toHaveLength(51);
}
