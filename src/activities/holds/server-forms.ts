// Has people answer the forms that a server asks for while it makes a held call, under the call's policy and within its time.
import { Context } from '@temporalio/activity';
import type { Gate } from '../../contract/configuration/gate.ts';
import type { TurnInput } from '../../contract/tasks/turn.ts';
import { durationMs } from '../../core/policy/duration.ts';
import { stringOf } from '../../core/base/json.ts';
import type { HeldCall } from '../../core/questions/held-call.ts';
import { maxForms, questionOfServerForm, replyToServer, type AnswersForm } from '../../core/turn/server-form.ts';
import type { HoldRow } from '../../store/store.ts';
import type { ActivityDeps } from '../deps.ts';

type FormDeps = Pick<ActivityDeps, 'store' | 'askForServer'>;

interface Making {
  held: HeldCall;
  gate: Gate;
  /** The question that approved the call. */
  hold: HoldRow;
}

/** Of the call's time, what is left to the server for the call itself once people did not answer. */
const leftToServerMs = 5_000;

/** Answers one form after the other; `over` ends with the call. */
export function createServerForms(
  deps: FormDeps,
  { turn, n, task }: Pick<TurnInput, 'turn' | 'n' | 'task'>,
  { held, gate, hold }: Making,
  over: AbortSignal,
): AnswersForm {
  const { attempt } = Context.current().info;
  const untilMs = performance.now() + durationMs(gate.timeout) - leftToServerMs;
  const policy = stringOf(hold.question.reply['policy']);
  let asked = 0;
  return async (form, signal) => {
    asked += 1;
    const { title = held.gate } = gate;
    const read = questionOfServerForm(form, { title, tool: held.tool, isApproved: true });
    if (!read.ok) throw new Error(`the form cannot be shown to people: ${read.why}`);
    const leftS = Math.floor((untilMs - performance.now()) / 1_000);
    const kept = await deps.store.intake.get({
      agent: task.agent,
      threadId: task.threadId,
      runId: hold.openedInRun,
    });
    if (leftS < 1 || asked > maxForms || kept === null) return { action: 'cancel' };
    const { question } = read;
    // One attempt's answer is none to another's form.
    const id = `${held.callId}:form-${turn}.${n}.${attempt}.${asked}`;
    const asking = { id, question, policy, principal: kept.principal, within: `${leftS}s` };
    return replyToServer(await deps.askForServer(asking, AbortSignal.any([signal, over])));
  };
}
