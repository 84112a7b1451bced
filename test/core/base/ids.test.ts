import { describe, expect, test } from '@jest/globals';
import {
  contextIdOf,
  holdIdOf,
  injectedMessageIdOf,
  interruptIdOf,
  messageIdOf,
  ownRunIdOf,
  type supervisorMessageIdOf,
  taskIdOf,
  uuidV5,
  workflowIdOf,
  type Sha1Hex,
} from '../../../src/core/base/ids.ts';
import type { A2aTaskId, HoldId, InterruptId, RunId, TaskId } from '../../../src/contract/base/id-types.ts';
import { sha1Hex, taskId } from '../../rigs/factories.ts';
import { fc } from '../../rigs/properties.ts';

const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

describe('a UUIDv5', () => {
  test.each([
    ['www.example.com', '2ed6657d-e927-568b-95e1-2665a8aea6a2'],
    ['python.org', '886313e1-3b8a-5372-9b90-0c9aee199e5d'],
  ])('a UUIDv5 of %s in the DNS namespace is the one of RFC 9562 and of other libraries', (name, uuid) => {
    expect(uuidV5(sha1Hex, dns, name)).toBe(uuid);
  });

  test('a UUIDv5 of any name is well-formed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(uuidV5(sha1Hex, dns, name)).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
      }),
    );
  });
});

describe('the ids of a task', () => {
  // Promise O9
  test('the ids of a task are the same for ever', () => {
    expect([
      taskId,
      holdIdOf(sha1Hex, taskId, 1),
      messageIdOf(sha1Hex, taskId, 1),
      injectedMessageIdOf(sha1Hex, taskId, 'run-2'),
      contextIdOf(sha1Hex, taskId),
    ]).toEqual([
      '83ab03d4-0e55-5eec-a9f0-841759594263',
      '216a8c06-64fb-5d2e-81b5-50d3464f153c',
      '4a3579fc-c708-5163-a311-cd1096ad8c7a',
      '54949952-ee5e-5bb0-82f7-4540b9b0642c',
      'e96344ec-6130-5948-ad18-e7b3fa7a21ec',
    ]);
  });

  test('the ids of a task differ for whatever differs', () => {
    const ids = [
      taskIdOf(sha1Hex, 'a', 'bc', 'd'),
      taskIdOf(sha1Hex, 'ab', 'c', 'd'),
      taskIdOf(sha1Hex, 'a', 'b', 'cd'),
      ...[1, 2, 12].flatMap((n) => [holdIdOf(sha1Hex, taskId, n), messageIdOf(sha1Hex, taskId, n)]),
      injectedMessageIdOf(sha1Hex, taskId, '1'),
      contextIdOf(sha1Hex, taskId),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('the ids of a task of two openings never meet, however agent, thread and run are cut', () => {
    const part = fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom('a', '-', ':', '/') });
    fc.assert(
      fc.property(fc.tuple(part, part, part), fc.tuple(part, part, part), (one, two) => {
        const same = one.every((text, i) => text === two[i]);
        expect(taskIdOf(sha1Hex, ...one) === taskIdOf(sha1Hex, ...two)).toBe(same);
      }),
    );
  });
});

test('names that people read are made of what they name', () => {
  expect(workflowIdOf('expenses', 't-1')).toBe('a2a/expenses/t-1');
  expect(interruptIdOf('hitl', 'a2a-1', 3)).toBe('hitl-a2a-1-3');
  expect(ownRunIdOf('T', 'turn-2')).toBe('standfast-T-turn-2');
});

/** Whether the type checker refuses the one where the other is wanted. */
type Refused<Given, Wanted> = Given extends Wanted ? false : true;

describe('an id', () => {
  test('an id of one sort is refused where another is wanted, when types are checked', () => {
    type Parts = Parameters<typeof injectedMessageIdOf>;
    const refused: {
      holdForTask: Refused<HoldId, TaskId>;
      ownForAgents: Refused<TaskId, A2aTaskId>;
      interruptForHold: Refused<InterruptId, Parameters<typeof supervisorMessageIdOf>[1]>;
      swapped: Refused<[Sha1Hex, RunId, TaskId], Parts>;
      inOrder: Refused<[Sha1Hex, TaskId, RunId], Parts>;
    } = { holdForTask: true, ownForAgents: true, interruptForHold: true, swapped: true, inOrder: false };
    expect(refused.inOrder).toBe(false);
  });

  test('an id that comes as text is taken for what its place says', () => {
    const text: string = JSON.parse('"4be1c2d3"');
    const task: TaskId = text;
    expect(workflowIdOf('expenses', text)).toBe(`a2a/expenses/${task}`);
  });
});
