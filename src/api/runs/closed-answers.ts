// Answers to closed questions: a repeat gets the recorded outcome, a cancel finds its way out, others are late.
import type { Refusal } from '../../contract/base/problem.ts';
import { errorOf, StandfastError } from '../../core/base/errors.ts';
import type { ResumeJudgement } from '../../core/answers/resume.ts';
import { judgeAnswers, namesOpen, readAnswers, type ReadAnswers } from '../holds/answers.ts';
import { rowsFollowMs } from '../engine/follow-rows.ts';
import type { StreamItem } from '../http/formats.ts';
import { readingOf, restateStream, type RestateAsk } from './restate-stream.ts';
import type { RunAsk } from './run-plan.ts';
import type { RunViewReads, WithStore } from '../api-parts.ts';

export async function closedAsk(
  api: WithStore,
  ask: RunAsk,
  answers: ReadAnswers,
  judgement: Extract<ResumeJudgement, { ok: true }>,
): Promise<RestateAsk> {
  const named = answers.holds.filter((hold) => answers.entries.some((entry) => entry.hold === hold.interruptId));
  const task = await api.store.tasks.newest(ask.agent, ask.input.threadId);
  return { ...readingOf(ask, task), replayed: judgement.kind === 'repeat' ? named : [] };
}

/**
 * The workflow would not take a run (null: it is over). Of answers to questions that were closed meanwhile the rows know
 * more than it says; every other refusal is kept.
 */
export async function* streamClosedAnswers(
  api: RunViewReads,
  ask: RunAsk,
  receivedAt: string,
  refusal: Refusal | null,
  signal: AbortSignal,
): AsyncGenerator<StreamItem[]> {
  const { agent, principal, input } = ask;
  const error =
    refusal === null ? new StandfastError('hold_closed', 'the task of this question is over') : errorOf(refusal);
  const { resume } = input;
  const isClosed = error.code === 'hold_closed' || error.code === 'interrupt_expired';
  if (resume === null || !isClosed) throw error;
  const owner = (await api.store.threads.get(agent, input.threadId))?.owner ?? principal.id;
  const read = (): Promise<ReadAnswers> => readAnswers(api, agent, input);
  const holds = (await read()).open.map(({ holdId }) => holdId);
  const check = async (): Promise<ReadAnswers | null> => {
    const answers = await read();
    return namesOpen(answers) ? null : answers;
  };
  const known = await api.store.waitFor({ holds }, check, { timeoutMs: rowsFollowMs, signal });
  if (known === null) throw error;
  const judgement = judgeAnswers(known, { principal, receivedAt }, owner, api.now().toISOString());
  if (!judgement.ok) throw errorOf(judgement);
  yield* restateStream(api, await closedAsk(api, ask, known, judgement), signal);
}
