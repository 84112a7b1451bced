// Results of tools that have to be asked about, whose call was not decided here: each once, also in the evidence.
import { eq } from 'drizzle-orm';
import type { Db } from '../../database/database.ts';
import { appendEvidence } from '../../evidence/append.ts';
import { undecidedEntry } from '../../evidence/record.ts';
import { tasks } from '../../schema.ts';
import type { Tables } from '../../store.ts';

export const createUndecided = (db: Db): Pick<Tables['tasks'], 'recordUndecided'> => ({
  async recordUndecided(task, results) {
    const isTask = eq(tasks.taskId, task.taskId);
    await db.transaction(async (tx) => {
      const [row] = await tx.select({ undecided: tasks.undecided }).from(tasks).where(isTask).for('update');
      const known = row?.undecided ?? [];
      const fresh = results.filter(({ callId }) => known.every((one) => one.callId !== callId));
      if (fresh.length === 0) return;
      const undecided = [...known, ...fresh];
      await tx.update(tasks).set({ undecided }).where(isTask);
      const entries = fresh.map((result) => undecidedEntry(task, result));
      await appendEvidence(tx, entries);
    });
  },
});
