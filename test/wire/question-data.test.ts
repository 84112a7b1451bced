// What a dialect reads is shown in its questions alone: every recorded message of every dialect, through the projector.
import { readdirSync, readFileSync } from 'node:fs';
import { StreamResponse } from '@a2a-js/sdk';
import { describe, expect, test } from '@jest/globals';
import type { TurnEvent } from '../../src/contract/tasks/turn.ts';
import { readStreamResponse } from '../../src/wire/a2a/dialects/read-event.ts';
import { isPlainData } from '../../src/wire/agui/project/message.ts';
import { afterTurn, startLog } from './agui/scene.ts';

const folder = new URL('fixtures/', import.meta.url);
const ids = { contextId: 'c-1' };

/** Dialects whose questions repeat data that every reader may see. */
const showing = ['plain', 'auth', 'value'];

const messagesOf = (dialect: string): [string, { message: unknown; state: string }][] =>
  readdirSync(new URL(`${dialect}/`, folder)).map((file) => [
    file,
    JSON.parse(readFileSync(new URL(`${dialect}/${file}`, folder), 'utf8')),
  ]);

const wireState = (state: string): string => `TASK_STATE_${state.toUpperCase().replace('-', '_')}`;
const read = (wire: unknown): TurnEvent => readStreamResponse(StreamResponse.fromJSON(wire));
const dataIn = (event: TurnEvent): unknown[] =>
  afterTurn(startLog(), event).events.flatMap((sent) => (sent['name'] === 'standfast.data' ? [sent['value']] : []));

describe.each(readdirSync(folder).filter((dialect) => !showing.includes(dialect)))('data of %s', (dialect) => {
  test.each(messagesOf(dialect))(
    'data of %s is shown in no other place than its questions',
    (_file, { message, state }) => {
      const paused = read({
        statusUpdate: { ...ids, taskId: 'a2a-1', status: { state: wireState(state), message } },
      });
      expect(dataIn(paused)).toEqual([]);
      // After the answer the message is in the task's history.
      const later = read({
        task: { ...ids, id: 'a2a-1', status: { state: 'TASK_STATE_WORKING' }, history: [message] },
      });
      expect(dataIn(later)).toEqual([]);
      const parts = paused.type === 'status' ? (paused.message?.parts ?? []) : [];
      expect(parts.filter((part) => part.kind === 'data' && isPlainData(part))).toEqual([]);
    },
  );
});

test('data of no dialect is shown as it is', () => {
  const message = { messageId: 'm-1', role: 'ROLE_AGENT', parts: [{ data: { sum: 3 } }] };
  const event = read({ statusUpdate: { ...ids, taskId: 'a2a-1', status: { state: 'TASK_STATE_WORKING', message } } });
  expect(dataIn(event)).toMatchObject([{ data: { sum: 3 } }]);
});
