import { sql } from 'drizzle-orm';
import { holds, intake, settings } from '../schema.ts';
import { rowsOf, type Db } from './database.ts';

/** Name of the setting that registers a key, before the key's id. */
export const keySetting = 'codec-key:';

/** Number of newest rows of a table that are read. */
const sampled = 100;

/** Returns the ids of the keys that encrypt the database: the registered ones, and those of its newest rows. */
export async function keyIdsInUse(db: Db): Promise<string[]> {
  const rows = await rowsOf(
    db,
    sql`
      with newest as (
        (select ${holds.question} as box from ${holds} order by ${holds.openedAt} desc limit ${sampled}::integer)
        union all
        (select ${intake.body} from ${intake} order by ${intake.receivedAt} desc limit ${sampled}::integer)
      )
      select substr(name, length(${keySetting}) + 1) as id from ${settings} where starts_with(name, ${keySetting})
      union select split_part(box, ':', 2) from newest where box like 'hp1:%'
      order by id`,
  );
  return rows.map((row) => String(row['id']));
}
