// A hold's row, and what the pages are sent of it as the product makes it: a new field needs no change here.
import type { HoldView } from '../../src/contract/holds/hold.ts';
import type { HoldRowView } from '../../src/contract/views/inbox.ts';
import { holdRowViewOf } from '../../src/api/holds/hold-line.ts';
import { holdViewOf } from '../../src/api/holds/hold-view.ts';
import type { HoldRow } from '../../src/store/store.ts';
import { aHold, aSuper, openedAt, owner, taskId } from './factories.ts';

export const aHoldRow = (over: Partial<HoldRow> = {}): HoldRow => ({
  ...aHold(),
  taskId,
  agent: 'expenses',
  threadId: 't-1',
  owner,
  openedInRun: 'run-1',
  carriedByRun: null,
  card: {},
  updatedAt: openedAt,
  claim: null,
  stepsDone: [],
  moves: [],
  reassignAsks: [],
  nudges: [],
  takenBack: [],
  version: 1,
  artifacts: [],
  attachments: [],
  ...over,
});

export const aHoldView = (over: Partial<HoldRow> = {}): HoldView =>
  holdViewOf(aHoldRow(over), aSuper, { request: '', now: openedAt });

export const aHoldLine = (over: Partial<HoldRow> = {}): HoldRowView =>
  holdRowViewOf(aHoldRow(over), aSuper, { request: '', now: openedAt });
