import type { AguiEvent } from '../../../contract/tasks/run.ts';
import type { JsonObject } from '../../../contract/base/json.ts';
import { reduceEvent, type Projection } from './projection.ts';
import { difference } from './state-patch.ts';

/** What every projecting function gets in addition to its subject. */
export interface ProjectContext {
  /** Holdpoint's own task id. */
  taskId: string;
  agent: string;
  /** ISO time, written into the task's entry when that changes. */
  now: string;
  /** The run option; `/view/artifacts` if there is none. */
  artifactBasePath?: string;
}

/** Events in the making: lives inside one projecting function and is seen by nobody else. */
export interface Draft {
  readonly ctx: ProjectContext;
  /** The projection after the events so far. */
  p: Projection;
  events: AguiEvent[];
  /** The state as it should become; sent to the client by `emitState`. */
  state: JsonObject;
}

export function draftOf(p: Projection, ctx: ProjectContext): Draft {
  return { ctx, p, events: [], state: p.state };
}

export function emit(draft: Draft, event: AguiEvent): void {
  draft.events.push(event);
  draft.p = reduceEvent(draft.p, event);
}

/** Tells the wanted state as one STATE_DELTA; nothing when it is what the client has. */
export function emitState(draft: Draft): void {
  const delta = difference(draft.p.state, draft.state);
  if (delta.length > 0) emit(draft, { type: 'STATE_DELTA', delta });
  draft.state = draft.p.state;
}
