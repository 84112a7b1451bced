import { expect, test } from '@jest/globals';
import { endEvents } from '../../../../src/wire/agui/project/end.ts';
import { injectedEvents } from '../../../../src/wire/agui/project/injected.ts';
import { expectShown } from '../real-client.ts';
import { afterTurn, anArtifact, chunk, ctx, startLog, text, typesOf, withEvents } from '../scene.ts';

const also = { id: 'u-2', role: 'user', content: 'And a car' };

test('a message injected into a running task is shown in its long run as words of the user', async () => {
  const log = afterTurn(startLog(), chunk(anArtifact('a-1', [text('Book')])));
  const events = injectedEvents(log.p, [also]);
  expect(events).toEqual([
    { type: 'TEXT_MESSAGE_START', messageId: 'u-2', role: 'user' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'u-2', delta: 'And a car' },
    { type: 'TEXT_MESSAGE_END', messageId: 'u-2' },
  ]);
  const after = afterTurn(withEvents(log, events), chunk(anArtifact('a-1', [text('ing')]), { append: true }));
  const shown = await expectShown([...after.events, ...endEvents(after.p, { kind: 'completed', message: '' }, ctx)]);
  expect(shown.messages.map(({ role, content }) => [role, content])).toEqual([
    ['user', 'Book it'],
    ['assistant', 'Booking'],
    ['user', 'And a car'],
  ]);
});

test('it is shown once, and what no user sent is not', () => {
  const log = startLog();
  const own = { id: 'u-1', role: 'user', content: 'Book it' };
  const events = injectedEvents(log.p, [own, also, also, { id: 'x', role: 'system', content: 'Be brief' }]);
  expect(typesOf(events)).toEqual(['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END']);
  expect(injectedEvents(withEvents(log, events).p, [also])).toEqual([]);
  expect(injectedEvents({ ...log.p, ended: 'interrupt' }, [also])).toEqual([]);
});

test('another person than the thread’s owner is named, in every client that knows names', async () => {
  const log = afterTurn(startLog(), chunk(anArtifact('a-1', [text('Book')])));
  const events = injectedEvents(log.p, [{ ...also, name: 'ben' }]);
  expect(events[0]).toEqual({ type: 'TEXT_MESSAGE_START', messageId: 'u-2', role: 'user', name: 'ben' });
  const after = withEvents(log, events);
  const shown = await expectShown([...after.events, ...endEvents(after.p, { kind: 'completed', message: '' }, ctx)]);
  expect(shown.messages).toContainEqual({ ...also, name: 'ben' });
});

test('its files are named, since streamed messages are text alone', () => {
  const image = { type: 'image', source: { type: 'url', value: 'http://x' } };
  const content = [
    { type: 'text', text: 'See' },
    image,
    { ...image, type: 'document', metadata: { filename: 'a.pdf' } },
  ];
  const events = injectedEvents(startLog().p, [{ id: 'u-2', role: 'user', content }]);
  expect(events[1]?.['delta']).toBe('See\n[image]\n[document: a.pdf]');
});
