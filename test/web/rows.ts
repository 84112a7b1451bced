// Lines of the inbox for tests of the pages.
import type { HoldRowView } from '../../src/contract/inbox.ts';

export const aRow = (change: Partial<HoldRowView> = {}): HoldRowView => ({
  id: 'h-1',
  interruptId: 'hitl-t-1',
  taskId: 't-1',
  agent: 'expenses',
  threadId: 'th-1',
  kind: 'tool_call',
  title: 'Pay invoice?',
  lead: null,
  subject: change.title ?? 'Pay invoice?',
  values: [],
  requiredLeft: 0,
  saidNo: null,
  forMe: change.mayDecide ?? true,
  status: 'open',
  openedAt: '2026-11-20T13:00:00.000Z',
  expiresAt: '2026-11-20T15:00:00.000Z',
  mayDecide: true,
  requester: 'bob',
  claim: null,
  reassignAsks: [],
  ended: null,
  goesOut: null,
  snoozedUntil: null,
  danger: false,
  digest: 'sha256:1',
  version: 1,
  supersededBy: null,
  votes: { have: 0, need: 1 },
  nextStep: null,
  escalations: 0,
  decidedStatus: null,
  decidedBy: null,
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
  ended: { by, at: '2026-11-20T13:03:00.000Z', why: 'decided' },
});
