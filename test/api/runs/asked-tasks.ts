// Tasks that have asked, answers to them, and a worker that takes these: for tests of runs that resume.
import type { AnswerEntry } from '../../../src/contract/holds/decision.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { RunCommand } from '../../../src/contract/tasks/run.ts';
import type { HoldRow, TaskRow } from '../../../src/store/store.ts';
import {
  admittedAs,
  aDecision,
  aHold,
  anEnd,
  aTask,
  finished,
  freshThread,
  runBody,
  words,
  writeRun,
  type Rig,
} from '../rig.ts';

export const answer = (hold: HoldRow, payload: unknown, more: object = {}): JsonObject =>
  ({ interruptId: hold.interruptId, status: 'resolved', payload, ...more }) as JsonObject;
export const cancel = (hold: HoldRow): JsonObject => ({ interruptId: hold.interruptId, status: 'cancelled' });
export const resume = (threadId: string, runId: string, entries: JsonObject[], more: JsonObject = {}): JsonObject =>
  runBody(threadId, runId, { messages: [], resume: entries, ...more });

export const entriesOf = (command: RunCommand | undefined): AnswerEntry[] =>
  command?.kind === 'resume' ? command.entries : [];

/** A worker that takes the answers and ends the run that carries them. */
export function carrying(rig: Rig, task: TaskRow, holds: HoldRow[], commands: RunCommand[] = []): void {
  rig.tasks.resume = async (_task, source) => {
    commands.push(source);
    const key = { agent: 'expenses', threadId: task.threadId, runId: source.runId };
    for (const hold of holds) {
      const entry = entriesOf(source).find((one) => one.hold === hold.interruptId);
      if (entry === undefined) continue;
      await rig.store.holds.close(
        hold.holdId,
        anEnd(
          entry.status === 'resolved' ? 'decided' : 'cancelled',
          aDecision({
            by: source.principal.id,
            at: source.receivedAt,
            status: entry.status,
            values: entry.values,
            reason: entry.reason,
          }),
          entry.fingerprint,
        ),
      );
      await rig.store.holds.setCarrier(hold.holdId, source.runId);
    }
    await writeRun(rig.store, key, [...words(`${source.runId}-a`, 'Booked.'), finished(key)], 'success', {
      fingerprint: source.fingerprint,
    });
    await rig.store.tasks.update(task.taskId, { status: 'DONE' });
    return admittedAs(task.taskId, source.runId, 'resumed');
  };
}

/** A thread whose task has asked so many questions. */
interface Asked {
  threadId: string;
  task: TaskRow;
  holds: HoldRow[];
  hold: HoldRow;
}

export async function asked(rig: Rig, count = 1, change: Parameters<typeof aHold>[2] = {}): Promise<Asked> {
  const threadId = freshThread();
  const task = await aTask(rig.store, threadId);
  const key = { agent: 'expenses', threadId, runId: 'r1' };
  await writeRun(rig.store, key, [...words('q', 'Where and when?'), finished(key)], 'interrupt');
  const holds: HoldRow[] = [];
  for (let n = 1; n <= count; n += 1) holds.push(await aHold(rig.store, task, { n, ...change }));
  const [first] = holds;
  if (first === undefined) throw new Error('a test asks at least one question');
  return { threadId, task, holds, hold: first };
}
