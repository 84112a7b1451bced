import { expect, test } from '@jest/globals';
import { sseComment, encodeSseFrame } from '../../../../src/wire/agui/project/event-frames.ts';

test('an event is one frame with line feeds only, its id first', () => {
  const event = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'a\r\nb\u2028' };
  expect(encodeSseFrame(event, 'r-1:17')).toBe(`id: r-1:17\ndata: ${JSON.stringify(event)}\n\n`);
  expect(encodeSseFrame(event)).not.toContain('\r');
});

test.each(['a\nb', 'a\rb', 'a\0b'])('an id that would break the frame is refused', (id) => {
  expect(() => encodeSseFrame({ type: 'RAW' }, id)).toThrow('CR, LF or NUL');
});

test('a comment is one line', () => {
  expect(sseComment('ka\r\ndata: x')).toBe(': ka data: x\n\n');
});
