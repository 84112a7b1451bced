import type { TurnInput } from '../../contract/turn.ts';
import type { Tables } from '../../store/store.ts';
import type { Previous } from '../../wire/a2a/dialects/base/dialect.ts';

/** What the task's last pause asked, and what this turn answers it with. */
export async function lastQuestions(tables: Pick<Tables, 'holds'>, { task, send, n }: TurnInput): Promise<Previous[]> {
  // Nothing was asked before.
  if (n === 0) return [];
  const asked = (await tables.holds.ofTask(task.taskId)).filter(({ question }) => question.kind !== 'operator');
  const last = Math.max(0, ...asked.map(({ pause }) => pause.firstN));
  return asked
    .filter(({ pause }) => pause.firstN === last)
    .toSorted((a, b) => a.n - b.n)
    .map(({ question, decision }) => {
      const isAnswered = send.kind === 'answers' && decision?.status === 'resolved';
      return { question, values: isAnswered ? decision.values : null };
    });
}
