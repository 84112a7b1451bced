import type { TaskId } from '../../../contract/base/id-types.ts';
import type { AguiEvent } from '../../../contract/tasks/run.ts';
import type { JsonObject } from '../../../contract/base/json.ts';
import { reduceEvent, type Projection } from './projection.ts';
import { difference } from './state-patch.ts';

/** Context of every projecting function. */
export interface ProjectContext {
  taskId: TaskId;
  agent: string;
  /** ISO 8601; becomes `updatedAt` of a changed task entry. */
  now: string;
  /** Run option `artifactBasePath`; `/view/artifacts` by default. */
  artifactBasePath?: string;
  /** The A2A task that ended with the question answered in this run: another one takes its place. */
  endedTask?: string | null | undefined;
}

/** Events under construction, local to one projecting function. */
export interface Draft {
  readonly ctx: ProjectContext;
  /** The projection after the events emitted so far. */
  p: Projection;
  events: AguiEvent[];
  /** The intended state, sent to the client by `emitState`. */
  state: JsonObject;
}

export function draftOf(p: Projection, ctx: ProjectContext): Draft {
  return { ctx, p, events: [], state: p.state };
}

export function emit(draft: Draft, event: AguiEvent): void {
  draft.events.push(event);
  draft.p = reduceEvent(draft.p, event);
}

/** Emits the change from the client's state to the intended one as one STATE_DELTA, if there is any. */
export function emitState(draft: Draft): void {
  const delta = difference(draft.p.state, draft.state);
  if (delta.length > 0) emit(draft, { type: 'STATE_DELTA', delta });
  draft.state = draft.p.state;
}
