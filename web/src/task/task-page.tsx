// One task: its state, whom it waits for, what happened, its messages, and a message to its agent.
import { hasEnded } from '../../../src/contract/holds/hold-names.ts';
import { Suspense, type ReactNode } from 'react';
import type { TimelineEntry } from '../../../src/contract/views/inbox.ts';
import type { TaskView } from '../../../src/contract/tasks/task.ts';
import { announce } from '../base/page/announce.tsx';
import { send, taskApi } from '../base/live/api.ts';
import { useSending } from '../base/live/use-sending.ts';
import { agentProblem, refusalWords } from '../hold/words/problem-words.ts';
import { ArmButton } from '../hold/decide/arm-button.tsx';
import { Conversation } from '../hold/record/conversation.tsx';
import { isOver } from '../hold/words/ends.ts';
import { actorWords, formatAudience, audienceWords } from '../hold/words/people.ts';
import { useArm } from '../hold/pane/use-arm.ts';
import { oneLine, visible } from '../base/text/visible.ts';
import { taskTitle } from '../hold/words/quoted.ts';
import { ErrorText } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';
import { SlowNotice } from '../ui/guard.tsx';
import { useMe } from '../base/account/me.ts';
import { agentTitle, shortName, takesMessages } from '../base/account/names.ts';
import { openable } from '../base/router/openable.ts';
import { Link, navigate } from '../base/router/router.ts';
import { chatPath, holdPath, taskPath } from '../base/router/routes.ts';
import { strings } from '../i18n/strings.ts';
import { Monogram } from '../ui/monogram.tsx';
import { usePageTitle } from '../base/page/title.ts';
import { clockAt, durationWords, useTimeWords } from '../base/time/time.ts';
import { lazyPart } from '../base/live/lazy-part.ts';
import { MessageBox } from './message-box.tsx';
import { statusTagOf } from '../hold/words/task-status.ts';
import { entryGlyph, entryWords, stationsOf, statusWord, timelineLines } from './task-words.ts';
import { type TaskNow, useTask } from './use-task.ts';
import '../hold/hold.css';
import './task.css';

const words = strings.task;
const LanesPicture = lazyPart(async () => (await import('./lanes-picture.tsx')).LanesPicture);

export function TaskPage({ id }: { id: string }): ReactNode {
  const now = useTask(id);
  const me = useMe();
  const { task, status } = now;
  if (task === null) {
    if (status === 'loading') return <SlowNotice />;
    return (
      <div className="empty" role="alert">
        <h1>{status === 'missing' ? words.missing : words.notLoaded}</h1>
        {status === 'missing' ? (
          <Link className="button" to="/">
            {strings.app.toInbox}
          </Link>
        ) : (
          <button type="button" className="button" onClick={() => void now.reread()}>
            {strings.app.tryAgain}
          </button>
        )}
      </div>
    );
  }
  const isMine = me?.isOperator === true || task.owner === me?.id;
  // Who is asked may ask back; what follows an end is the owner's.
  const maySay =
    takesMessages(task.agent) &&
    (isMine || (!isOver(task) && now.holds.some((hold) => hold.status === 'open' && hold.mayDecide)));
  return (
    <article className="task stack">
      <Head now={now} task={task} />
      <Waiting now={now} task={task} />
      <Suspense>
        <LanesPicture task={task} timeline={now.timeline} />
      </Suspense>
      <div className="task-columns">
        <section className="task-talk" aria-labelledby="task-talk">
          <h2 id="task-talk">{words.conversation}</h2>
          {now.chat === null ? (
            <p className="meta">{strings.app.loading}</p>
          ) : now.chat === 'failed' ? (
            <p className="meta">{strings.hold.notLoaded}</p>
          ) : (
            <Conversation chat={now.chat} agent={agentTitle(task.agent)} holds={now.holds} />
          )}
          {maySay && <MessageBox task={task} holds={now.holds} reread={now.reread} />}
        </section>
        <div className="task-side stack">
          <section aria-labelledby="task-line">
            <h2 id="task-line">{words.timeline}</h2>
            <Timeline entries={now.timeline} requester={task.owner} />
          </section>
          <Artifacts now={now} />
          <details className="fold-inline">
            <summary>{words.ids}</summary>
            <pre tabIndex={0}>
              {[task.id, task.a2aTaskId, task.contextId, task.threadId, task.workflowId]
                .filter((one) => one !== null)
                .map((one) => visible(one))
                .join('\n')}
            </pre>
          </details>
        </div>
      </div>
    </article>
  );
}

function Head({ now, task }: { now: TaskNow; task: TaskView }): ReactNode {
  const title = taskTitle(task, 160) || words.untitled;
  usePageTitle(title);
  return (
    <header className="task-head stack">
      <div className="task-bar cluster">
        <p className="hold-meta cluster">
          <Monogram id={task.agent} name={agentTitle(task.agent)} />
          <bdi className="strong">{agentTitle(task.agent)}</bdi>
          <span className="meta">{words.by(shortName(task.owner))}</span>
          <time className="meta num" dateTime={task.createdAt}>
            {clockAt(task.createdAt)}
          </time>
        </p>
        <Hands task={task} reread={now.reread} />
      </div>
      <h1 className="hold-title" dir="auto">
        {title}
      </h1>
      <ol className="stations cluster" aria-label={words.statusLabel}>
        {stationsOf(task.status, now.timeline).map(({ status, isNow }) => (
          <li key={status} aria-current={isNow ? 'step' : undefined} className={isNow ? '' : 'meta'}>
            {isNow ? (
              <span className={`pill ${statusTagOf(task.status).tone}`}>{statusWord(status)}</span>
            ) : (
              statusWord(status)
            )}
          </li>
        ))}
      </ol>
      {task.stale === true && <p className="notice warn">{words.stale}</p>}
      {task.stuck?.cause === 'agent_away' && <AgentAway agent={task.agent} since={task.stuck.since} />}
      {task.error !== null && (
        <p className="notice danger" dir="auto">
          {errorWords(task)}
        </p>
      )}
      {(task.undecided ?? []).map(({ tool, callId }) => (
        <p key={callId} className="notice danger" dir="auto">
          {words.undecided(oneLine(tool, 80))}
        </p>
      ))}
    </header>
  );
}

/** Why it ended, by its code; the agent's own text is in quotes. */
function errorWords({ error, agent }: TaskView): string {
  const message = visible(error?.message ?? '').slice(0, 500);
  return agentProblem(error?.code ?? '', agent, message) ?? strings.errors.agent_failed(agent, message);
}

/** Whom the requester waits for, and since when. */
function Waiting({ now, task }: { now: TaskNow; task: TaskView }): ReactNode {
  const open = now.holds.filter(({ status }) => !hasEnded(status));
  if (open.length === 0 || isOver(task)) return null;
  return (
    <section className="task-waiting" aria-label={words.waitingFor}>
      <ul>
        {open.map((hold) => (
          <li key={hold.id}>
            <Link to={holdPath(hold.id)} dir="auto">
              {oneLine(hold.headline, 120)}
            </Link>{' '}
            <span className="meta">
              {words.waitingFor} <Since who={formatAudience(hold)} at={hold.openedAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Why nothing comes of an answer yet. */
function AgentAway({ agent, since }: { agent: string; since: string }): ReactNode {
  const text = useTimeWords((now) =>
    words.agentAway(agentTitle(agent), durationWords(Math.max(60_000, now - Date.parse(since)))),
  );
  return <p className="notice warn">{text}</p>;
}

function Since({ who, at }: { who: string; at: string }): ReactNode {
  const text = useTimeWords((now) => words.parkedSince(who, durationWords(Math.max(60_000, now - Date.parse(at)))));
  return <span className="num">{text}</span>;
}

function whomWords({ what, to }: TimelineEntry, requester: string): string {
  const who = audienceWords(to, requester);
  return what === 'hold.moved' ? words.toWhom(who) : words.whom(who);
}

function Timeline({ entries, requester }: { entries: readonly TimelineEntry[]; requester: string }): ReactNode {
  const me = useMe();
  return (
    <ol className="timeline stack">
      {timelineLines(entries).map((entry, index) => (
        <li key={`${entry.at}${entry.what}${index}`}>
          <time className="meta num" dateTime={entry.at}>
            {clockAt(entry.at)}
          </time>
          <span className={`end-glyph ${entryGlyph(entry).tone}`}>
            <Icon name={entryGlyph(entry).icon} />
          </span>
          <span dir="auto">
            {entry.holdId === null ? (
              entry.what === 'restarted' ? (
                <Link to={taskPath(entry.word)}>{entryWords(entry)}</Link>
              ) : (
                entryWords(entry)
              )
            ) : (
              <Link to={holdPath(entry.holdId)}>{entryWords(entry)}</Link>
            )}{' '}
            {entry.to.length > 0 && <span className="meta">{whomWords(entry, requester)} </span>}
            {entry.by !== null && <span className="meta">{words.byWho(actorWords(entry.by, me?.id ?? null))}</span>}
            {entry.note !== null && <span className="note">{words.quoted(visible(entry.note))}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}

function Artifacts({ now }: { now: TaskNow }): ReactNode {
  const items = now.chat === null || now.chat === 'failed' ? [] : now.chat.items;
  const files = items.flatMap((item) => item.files).filter(({ url }) => url !== null);
  const made = (now.task?.artifacts ?? []).map(({ id, name, url }) => ({ name: name === '' ? id : name, url }));
  const listed = now.holds.flatMap((hold) =>
    hold.context.artifacts.map(({ name, id, url, digest }) => ({ name: name === '' ? id : name, url, digest })),
  );
  // One that several questions were about is the same one while its digest is.
  const all = [
    // What the task has made by now replaces what a question was asked about under the same name.
    ...made,
    ...[...new Map(listed.map((one) => [one.digest ?? one.url, one])).values()].filter(
      ({ name }) => !made.some((one) => one.name === name),
    ),
    ...new Map(files.map((one) => [one.url, one])).values(),
  ];
  if (all.length === 0) return null;
  return (
    <section aria-labelledby="task-artifacts">
      <h2 id="task-artifacts">{words.artifacts}</h2>
      <ul className="artifacts stack">
        {all.map(({ name, url }) => (
          <li key={url}>
            <a href={url ?? undefined} target="_blank" rel="noopener noreferrer" dir="auto">
              {visible(name)} <Icon name="clip" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Cancel, restart, and the ways to other pages. */
function Hands({ task, reread }: { task: TaskView; reread: () => Promise<void> }): ReactNode {
  const me = useMe();
  const arm = useArm();
  const { why, run } = useSending(refusalWords);
  const isOperator = me?.isOperator === true;
  const isMine = isOperator || task.owner === me?.id;
  const temporal = openable(task.temporalUrl, location.hostname);
  const over = isOver(task);
  const act = async (what: 'cancel' | 'restart'): Promise<void> => {
    await run(async () => {
      const answer = await send<TaskView>('POST', taskApi(task.id, `/${what}`), {});
      announce(what === 'cancel' ? words.cancelling : words.restarted);
      if (what === 'restart' && answer.id !== task.id) navigate(taskPath(answer.id));
    });
    await reread();
  };
  return (
    <div className="hold-tools cluster">
      {!over && isMine && (
        <ArmButton
          id="cancel"
          label={words.cancel}
          armedLabel={words.cancelConfirm}
          tone={arm.what === 'cancel' ? 'destroys' : 'plain'}
          arm={arm}
          onConfirm={() => void act('cancel')}
        />
      )}
      {over && isOperator && task.status !== 'DONE' && task.restartedAs === null && takesMessages(task.agent) && (
        <ArmButton
          id="restart"
          label={words.restart}
          armedLabel={words.restartConfirm}
          tone="plain"
          arm={arm}
          onConfirm={() => void act('restart')}
        />
      )}
      {takesMessages(task.agent) && (
        <Link className="button small" to={chatPath(task.agent, task.threadId)}>
          {words.chat}
        </Link>
      )}
      {isOperator && temporal !== null && (
        <a className="button small" href={temporal} target="_blank" rel="noopener noreferrer">
          {words.temporal} <Icon name="outside" />
        </a>
      )}
      {task.restartOf !== null && (
        <Link className="button small" to={taskPath(task.restartOf)}>
          {words.restartOf}
        </Link>
      )}
      {task.restartedAs !== null && (
        <Link className="button small" to={taskPath(task.restartedAs)}>
          {words.restartedAs}
        </Link>
      )}
      {arm.what !== null && (
        <p className="meta tool-note">{arm.what === 'cancel' ? words.cancelMeans : words.restartMeans}</p>
      )}
      <ErrorText className="error tool-note" why={why} />
    </div>
  );
}
