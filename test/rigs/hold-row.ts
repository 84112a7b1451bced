// What the pages are sent of a hold's row, as the product makes it: a new field needs no change here.
import type { HoldView } from '../../src/contract/holds/hold.ts';
import type { HoldRowView } from '../../src/contract/views/inbox.ts';
import { holdRowViewOf } from '../../src/api/holds/hold-line.ts';
import { holdViewOf } from '../../src/api/holds/hold-view.ts';
import type { HoldRow } from '../../src/store/store.ts';
import { aHoldRow, aSuper, openedAt } from './factories.ts';

export const aHoldView = (over: Partial<HoldRow> = {}): HoldView =>
  holdViewOf(aHoldRow(over), aSuper, { request: '', now: openedAt });

export const aHoldLine = (over: Partial<HoldRow> = {}): HoldRowView =>
  holdRowViewOf(aHoldRow(over), aSuper, { request: '', now: openedAt });
