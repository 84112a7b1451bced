// Lines of the inbox for tests of the pages.
import type { HoldRowView } from '../../../src/contract/views/inbox.ts';
import { aHoldLine } from '../../rigs/hold-row.ts';

export const aRow = (change: Partial<HoldRowView> = {}): HoldRowView => ({
  ...aHoldLine(),
  id: 'h-1',
  interruptId: 'hitl-t-1',
  taskId: 't-1',
  threadId: 'th-1',
  kind: 'tool_call',
  title: 'Pay invoice?',
  headline: change.title ?? 'Pay invoice?',
  values: [],
  forMe: change.mayDecide ?? true,
  openedAt: '2026-11-20T13:00:00.000Z',
  expiresAt: '2026-11-20T15:00:00.000Z',
  dueAt: change.expiresAt === undefined ? '2026-11-20T15:00:00.000Z' : change.expiresAt,
  requester: 'bob',
  digest: 'sha256:1',
  nextStep: null,
  ...change,
});

/** The same line after somebody decided it. */
export const decided = (row: HoldRowView, by = 'cem'): HoldRowView => ({
  ...row,
  status: 'decided',
  version: row.version + 1,
  forMe: false,
  decidedStatus: 'resolved',
  decidedBy: by,
  ended: { by, at: '2026-11-20T13:03:00.000Z', why: 'approved' },
});
