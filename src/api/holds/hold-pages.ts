import type { HoldRow, Page, Store } from '../../store/store.ts';
import type { HoldFilter } from '../../store/tables/holds/hold-filter.ts';

const pageSize = 200;

/** Pages of all holds that a filter finds, each read when it is asked for: who has enough stops. */
export async function* holdPages(
  { holds }: Pick<Store, 'holds'>,
  filter: Omit<HoldFilter, 'cursor' | 'limit'>,
): AsyncGenerator<Page<HoldRow>> {
  let cursor: string | null = null;
  do {
    const page: Page<HoldRow> = await holds.list({
      ...filter,
      limit: pageSize,
      ...(cursor === null ? {} : { cursor }),
    });
    yield page;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
