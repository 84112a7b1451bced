// The end of the first minute: everything is killed while a question waits, and it is still there.
import { type ReactNode, useRef } from 'react';
import type { HoldRowView } from '../../../src/contract/views/inbox.ts';
import type { TaskView } from '../../../src/contract/tasks/task.ts';
import { useAgents } from '../base/account/me.ts';
import { taskApi } from '../base/live/api.ts';
import { useConnection } from '../base/live/event-stream.ts';
import { useRead } from '../base/live/use-read.ts';
import { openable } from '../base/router/openable.ts';
import { Link } from '../base/router/router.ts';
import { holdPath } from '../base/router/routes.ts';
import { oneLine } from '../base/text/visible.ts';
import { clockAt, useNow } from '../base/time/time.ts';
import { strings } from '../i18n/strings.ts';
import { Icon } from '../ui/icons.tsx';
import { FirstDrawing } from './first-drawing.tsx';
import { type Ask, Asks } from './first-run.tsx';
import { type Gap, nextGap, stationOf, type Trick as State, trickOf } from './trick-state.ts';
import { endTrick } from './trick-time.ts';
import './first-run.css';

const text = strings.trick;
const secondsOf = (ms: number): number => Math.round(ms / 1_000);
const untilOf = (dueAt: string | null): string => (dueAt === null ? '' : clockAt(dueAt));

interface Props {
  /** The questions that wait, the one to speak of first. */
  rows: readonly HoldRowView[];
  /** This question is on the page already. */
  hereId?: string | null;
  onAsk?: Ask;
}

export function Trick({ rows, hereId = null, onAsk }: Props): ReactNode {
  const isLive = useConnection() === 'live';
  const at = useNow(true);
  const gap = useRef<Gap | null>(null);
  const agents = useAgents() ?? [];
  const open = rows.find(({ status }) => status === 'open') ?? null;
  const now = { open, isLive, at };
  gap.current = nextGap(gap.current, now);
  const state = trickOf(gap.current, now, rows);
  return (
    <section className="trick box stack" aria-labelledby="trick">
      <h2 id="trick">{text.title}</h2>
      <FirstDrawing now={stationOf(state)} />
      <p role="status">{lineOf(state)}</p>
      {state.step === 'ask' && <Asks agents={agents} onAsk={onAsk} />}
      {state.step === 'gone' && <p className="meta">{text.again}</p>}
      {state.step === 'back' && <Back {...state} isHere={state.asked.id === hereId} />}
      <p>
        <button type="button" className="button link" onClick={endTrick}>
          {text.done}
        </button>
      </p>
    </section>
  );
}

/** The ways to the question, and to the workflow of the very task that asked. */
function Back({ asked, isSame, isHere }: Extract<State, { step: 'back' }> & { isHere: boolean }): ReactNode {
  const task = useRead<TaskView>(taskApi(asked.taskId)).data;
  const temporal = openable(task?.temporalUrl ?? null, location.hostname);
  return (
    <p className="cluster">
      {isSame && !isHere && (
        <Link className="button primary" to={holdPath(asked.id)}>
          {text.answer}
        </Link>
      )}
      {temporal !== null && (
        <a className="button" href={temporal} target="_blank" rel="noreferrer">
          {text.temporal} <Icon name="outside" />
        </a>
      )}
    </p>
  );
}

function lineOf(state: State): string {
  switch (state.step) {
    case 'ask':
      return text.ask;
    case 'kill':
      return text.kill(oneLine(state.asked.headline, 80), untilOf(state.asked.dueAt));
    case 'gone':
      return text.gone(secondsOf(state.ms));
    case 'back':
      return state.isSame
        ? text.back(secondsOf(state.ms), untilOf(state.asked.dueAt))
        : text.other(secondsOf(state.ms));
    default:
      return state satisfies never;
  }
}
