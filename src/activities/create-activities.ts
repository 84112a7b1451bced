import { Context } from '@temporalio/activity';
import type { Activities } from './activities.ts';
import { amendHolds } from './amend-holds.ts';
import { askSupervisor } from './ask-supervisor.ts';
import { checkAnswers } from './check-answers.ts';
import { closeTask } from './close-task.ts';
import { deliverNotice } from './deliver-notice.ts';
import type { ActivityDeps } from './deps.ts';
import { injectMessage } from './inject-message.ts';
import { openHolds } from './open-holds.ts';
import { reconcile } from './reconcile.ts';
import { recordDecisions } from './record-decisions.ts';
import { recordStep } from './record-step.ts';
import { runTurn } from './run-turn.ts';
import { stopAgent } from './stop-agent.ts';

const beatMs = 2_000;

/** Tells Temporal that this worker is alive for as long as the work goes on: if it dies, another soon takes the work up. */
function beating<I, R>(work: (input: I) => Promise<R>): (input: I) => Promise<R> {
  return async (input) => {
    const context = Context.current();
    const beat = setInterval(() => context.heartbeat(), beatMs);
    try {
      return await work(input);
    } finally {
      clearInterval(beat);
    }
  };
}

/** All activities over one set of dependencies. */
export function createActivities(deps: ActivityDeps): Activities {
  return {
    runTurn: (input) => runTurn(deps, input),
    injectMessage: (input) => injectMessage(deps, input),
    openHolds: beating((input) => openHolds(deps, input)),
    checkAnswers: beating((input) => checkAnswers(deps, input)),
    recordDecisions: beating((input) => recordDecisions(deps, input)),
    recordStep: beating((input) => recordStep(deps, input)),
    amendHolds: beating((input) => amendHolds(deps, input)),
    askSupervisor: (input) => askSupervisor(deps, input),
    deliverNotice: (input) => deliverNotice(deps, input),
    closeTask: beating((input) => closeTask(deps, input)),
    stopAgent: beating((input) =>
      stopAgent(deps, input, AbortSignal.any([Context.current().cancellationSignal, AbortSignal.timeout(50_000)])),
    ),
    requestCancel: beating(({ workflowId, firstExecutionRunId }) =>
      deps.engine.requestCancel(workflowId, firstExecutionRunId),
    ),
    reconcile: () => reconcile(deps, () => Context.current().heartbeat()),
  };
}
