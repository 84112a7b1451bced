// The list "When a message does not get through" of docs/wire.md, and the function that decides it: each entry has its rows
// here, and each row an entry. What errors of real agents are is held by test/activities/send-failures.test.ts.
import { describe, expect, test } from '@jest/globals';
import type { A2aErrorInfo } from '../../../src/contract/tasks/agent-error.ts';
import { judgeFailure, type FailedSend } from '../../../src/core/turn/send-failures.ts';
import { read } from '../../source-tree.ts';

const section = read('docs/wire.md').split('### When a message does not get through\n')[1]?.split('\n## ')[0] ?? '';
const entries = [...section.replaceAll(/\n {2}/g, ' ').matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, entry = '']) => entry);

const error = (what: A2aErrorInfo['what'], more: Partial<A2aErrorInfo> = {}): A2aErrorInfo => ({
  kind: 'final',
  what,
  wasTaken: false,
  message: '',
  ...more,
});
const unknown = { wasTaken: 'unknown' } as const;
const away = { kind: 'not-sent' } as const;
const first = { isStreaming: true, isFollowUp: false };
const followUp = { isStreaming: true, isFollowUp: true };
const blocking = { isStreaming: false, isFollowUp: false };
const blockingFollowUp = { isStreaming: false, isFollowUp: true };

const otherWayIfAbsent = { kind: 'answered', absent: 'other-way', unknown: 'delivery-unknown' } as const;

type Row = [how: Omit<FailedSend, 'known'>, known: A2aErrorInfo, verdict: ReturnType<typeof judgeFailure>];

const unconfirmed = { kind: 'answered', absent: 'delivery-unknown', unknown: 'delivery-unknown' } as const;
const refusedOnceProbed = { kind: 'answered', absent: 'refused', unknown: 'refused' } as const;
const failedOnceProbed = { kind: 'answered', absent: 'failed', unknown: 'failed' } as const;
const otherWayOnceProbed = { kind: 'answered', absent: 'other-way', unknown: 'other-way' } as const;

/** By the beginning of the entry that they belong to. */
const rows: Record<string, Row[]> = {
  'No card, no token, no connection': [
    [first, error('card', away), { kind: 'not-taken' }],
    [first, error('token', away), { kind: 'not-taken' }],
    [first, error('token'), { kind: 'refused' }],
    [first, error('network', away), { kind: 'other-way' }],
    [blocking, error('network', away), { kind: 'not-taken' }],
  ],
  'An address that the configuration does not allow': [[first, error('policy', away), { kind: 'refused' }]],
  'HTTP 429, 503': [[first, error('http', { kind: 'retryable', status: 503 }), { kind: 'not-taken' }]],
  'To a stream: `-32601`, HTTP 404, 405, 406, 501': [
    [first, error('no-method'), { kind: 'other-way' }],
    [first, error('http', { status: 405 }), { kind: 'other-way' }],
    [followUp, error('http', { status: 501 }), otherWayOnceProbed],
  ],
  'To a stream: `-32004`': [
    [first, error('unsupported'), { kind: 'read-card' }],
    [followUp, error('unsupported'), otherWayIfAbsent],
  ],
  '`-32001`': [
    [first, error('task-not-found'), { kind: 'refused' }],
    [followUp, error('task-not-found'), { kind: 'missing' }],
    [blockingFollowUp, error('task-not-found'), { kind: 'missing' }],
  ],
  '`-32004` or `-32602` about a terminal state': [[followUp, error('terminal-task'), { kind: 'refused' }]],
  '`-32005`, `-32008`, `-32009`, `-32600`, `-32602`, `-32700`': [
    [first, error('refused'), { kind: 'refused' }],
    [followUp, error('refused'), refusedOnceProbed],
    [blocking, error('http', { status: 401 }), { kind: 'refused' }],
    [blocking, error('no-method'), { kind: 'refused' }],
    [first, error('no-version'), { kind: 'refused' }],
    [blockingFollowUp, error('unsupported'), refusedOnceProbed],
  ],
  '`-32603`, an unknown code': [
    [first, error('agent-error', unknown), failedOnceProbed],
    [followUp, error('agent-error', unknown), { kind: 'unknown' }],
  ],
  'A stream that ended before it began': [
    [first, error('empty-stream', unknown), otherWayIfAbsent],
    [followUp, error('empty-stream', unknown), otherWayIfAbsent],
  ],
  'A card without a binding that Standfast speaks': [[first, error('no-binding'), { kind: 'refused' }]],
  '`-32006`, HTTP 408 and 5xx, a broken connection': [
    [first, error('protocol', unknown), { kind: 'unknown' }],
    [followUp, error('network', { ...unknown, kind: 'retryable' }), { kind: 'unknown' }],
    [first, error('http', { ...unknown, status: 500 }), { kind: 'unknown' }],
  ],
};

/** Settled before a failure is judged: the same message goes again without its push address, or by a new card. */
const settledBefore = [
  '`-32003`, or `-32602` about a push notification',
  '`-32601`, `-32009`, HTTP 404 if the card, read again, names another',
];

describe('the list in docs/wire.md of messages that do not get through', () => {
  test('the list in docs/wire.md of messages that do not get through has an entry for each row of the test, and the test a row for each entry', () => {
    const named = [...Object.keys(rows), ...settledBefore];
    expect(entries.length).toBe(named.length);
    expect(named.filter((begin) => !entries.some((entry) => entry.startsWith(begin)))).toEqual([]);
  });

  const cases = Object.entries(rows).flatMap(([entry, own]) => own.map((row) => [entry, ...row] as const));
  test.each(cases)(
    'the list in docs/wire.md of messages that do not get through says of "%s" what judgeFailure decides: %j %j',
    (_entry, how, known, verdict) => {
      expect(judgeFailure({ ...how, known })).toEqual(verdict);
    },
  );

  test('the list in docs/wire.md of messages that do not get through says of -32004 to a stream of a first message that it depends on the card, read again', () => {
    const failed = { ...first, known: error('unsupported') };
    expect(judgeFailure(failed, false)).toEqual({ kind: 'other-way' });
    expect(judgeFailure(failed, true)).toEqual(unconfirmed);
  });
});
