// What agents repeat, as frameworks were seen to: LangGraph's growing texts, kagent's pieces, CrewAI's artifact.
import { describe, expect, test } from '@jest/globals';
import type { TurnEvent } from '../../../../src/contract/tasks/turn.ts';
import { contentText } from '../../../../src/core/agui/messages.ts';
import { turnEvents } from '../../../../src/wire/agui/project/project.ts';
import {
  afterTurn,
  anArtifact,
  aSnapshot,
  chunk,
  ctx,
  data,
  says,
  startLog,
  status,
  text,
  type Log,
} from '../scene.ts';

const textsIn = (log: Log): string[] =>
  log.p.messages.flatMap((message) => (message['role'] === 'assistant' ? [contentText(message)] : []));
const working = (id: string, words: string, metadata = {}): TurnEvent =>
  status('working', { ...says(id, words), metadata });

describe('a text that an agent sends again', () => {
  test('longer, under a new id each time, is one message that grows', () => {
    const log = afterTurn(startLog(), working('a', 'One'), working('b', 'One two'), working('c', 'One two'));
    expect(textsIn(log)).toEqual(['One two']);
    expect(textsIn(afterTurn(log, working('d', 'Three')))).toEqual(['One two', 'Three']);
  });

  test('a text that an agent sends again in the history of its task, under another id, is shown once', () => {
    const log = afterTurn(startLog(), working('a', 'Booked.'));
    expect(textsIn(afterTurn(log, aSnapshot({ history: [says('other', 'Booked.')] })))).toEqual(['Booked.']);
  });

  test('a text that an agent sends again in pieces and then whole is one message', () => {
    const piece = { kagent_adk_partial: true };
    const log = afterTurn(
      startLog(),
      working('a', 'You ', piece),
      working('b', 'said ', piece),
      working('c', 'You said hi'),
    );
    expect(textsIn(log)).toEqual(['You said hi']);
    expect(log.p.openTexts).toEqual([]);
  });

  test('a text that an agent sends again in pieces under one id, as agno sends them, is one message', () => {
    const piece = (words: string): TurnEvent => ({
      type: 'message',
      contextId: 'c-1',
      message: { ...says('a', words), metadata: { agno_content_category: 'content' } },
    });
    const log = afterTurn(startLog(), piece('One '), piece('two '), piece('One '));
    expect(textsIn(log)).toEqual(['One two One ']);
    expect(textsIn(afterTurn(log, aSnapshot({ history: [says('a', 'One two One ')] })))).toEqual(['One two One ']);
    const whole = { ...says('b', 'Three'), metadata: { agno_content_category: 'content' } };
    expect(textsIn(afterTurn(startLog(), aSnapshot({ history: [whole] })))).toEqual(['Three']);
  });

  test('a text that an agent sends again as an artifact is not a message too, whole or as the sum of its pieces', () => {
    const whole = chunk(anArtifact('a-1', [text('One two')]), { lastChunk: true });
    expect(textsIn(afterTurn(startLog(), working('a', 'One two'), whole))).toEqual(['One two']);
    const pieces = afterTurn(startLog(), working('a', 'One '), working('b', 'two'), whole);
    expect(textsIn(pieces)).toEqual(['One ', 'two']);
    // As Strands ends what it says without `enable_a2a_compliant_streaming`.
    const ended = chunk(anArtifact('a-1', [text('One two\n')]), { lastChunk: true });
    expect(textsIn(afterTurn(startLog(), working('a', 'One '), working('b', 'two'), ended))).toEqual(['One ', 'two']);
  });

  test('a text that an agent sends again stays a repetition when other texts came after its pieces', () => {
    const log = afterTurn(startLog(), working('a', 'One '), working('b', 'two'), working('c', 'Three'));
    expect(textsIn(afterTurn(log, aSnapshot({ history: [says('d', 'One two')] })))).toEqual(['One ', 'two', 'Three']);
  });

  test('a text that stands in an artifact adds nothing when its message, which brings a call, comes again', () => {
    const call = { type: 'tool-call', id: 'c-1', name: 'pay', arguments: {} };
    const message = { ...says('m-1', 'Paid'), parts: [text('Paid'), data(call)] };
    const log = afterTurn(startLog(), chunk(anArtifact('x', [text('Paid')])), status('working', message));
    expect(turnEvents(log.p, status('working', message), ctx)).toEqual([]);
  });

  test('a text that an agent sends again in answer to another message is shown again', () => {
    const log = afterTurn(startLog(), working('a', '4'));
    const user = { id: 'u-2', role: 'user', content: 'And 1+3?' };
    const next: Log = { ...log, p: { ...log.p, messages: [...log.p.messages, user] } };
    expect(textsIn(afterTurn(next, working('b', '4')))).toEqual(['4', '4']);
    expect(textsIn(afterTurn(next, aSnapshot({ history: [says('b', '4')] })))).toEqual(['4', '4']);
  });
});
