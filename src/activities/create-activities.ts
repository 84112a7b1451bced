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

/** All activities over one set of dependencies. */
export function createActivities(deps: ActivityDeps): Activities {
  return {
    runTurn: (input) => runTurn(deps, input),
    injectMessage: (input) => injectMessage(deps, input),
    openHolds: (input) => openHolds(deps, input),
    checkAnswers: (input) => checkAnswers(deps, input),
    recordDecisions: (input) => recordDecisions(deps, input),
    recordStep: (input) => recordStep(deps, input),
    amendHolds: (input) => amendHolds(deps, input),
    askSupervisor: (input) => askSupervisor(deps, input),
    deliverNotice: (input) => deliverNotice(deps, input),
    closeTask: (input) => closeTask(deps, input),
    stopAgent: (input) =>
      stopAgent(deps, input, AbortSignal.any([Context.current().cancellationSignal, AbortSignal.timeout(50_000)])),
    requestCancel: ({ workflowId, firstExecutionRunId }) => deps.engine.requestCancel(workflowId, firstExecutionRunId),
    reconcile: () => reconcile(deps, () => Context.current().heartbeat()),
  };
}
