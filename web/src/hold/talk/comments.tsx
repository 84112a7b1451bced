// What those who may decide say to each other beside the question; the agent never hears of it.
import { type ReactNode, useId, useRef, useState } from 'react';
import type { CommentsView } from '../../../../src/contract/comment.ts';
import { announce } from '../../app/announce.tsx';
import { serverNow } from '../../app/clock.ts';
import { nameFor } from '../../app/names.ts';
import { clockWords, reader } from '../../app/time.ts';
import { strings } from '../../i18n/strings.ts';
import { Monogram } from '../../ui/monogram.tsx';
import { visible } from '../text/visible.ts';
import { piecesOf, typedMention, withMention } from './mention.ts';
import type { Discussion } from './use-comments.ts';
import './talk.css';

const words = strings.talk;

/** Typed and not sent yet: what draws the question anew takes nothing of it. */
const typedBefore = new Map<string, string>();

export function Comments({
  holdId,
  myId,
  discussion,
}: {
  holdId: string;
  myId: string | null;
  discussion: Discussion;
}): ReactNode {
  const { comments, say } = discussion;
  if (comments === null) return <p className="meta">{strings.app.loading}</p>;
  return (
    <div className="comments">
      {comments.items.length === 0 && <p className="meta">{words.none}</p>}
      <ul>
        {comments.items.map((one) => (
          <Comment key={one.id} comment={one} myId={myId} />
        ))}
      </ul>
      <Write holdId={holdId} myId={myId} people={comments.people} say={say} />
    </div>
  );
}

function Comment({ comment, myId }: { comment: CommentsView['items'][number]; myId: string | null }): ReactNode {
  const name = nameFor(comment.by, myId, strings.hold.you);
  return (
    <li className="comment">
      <Monogram id={comment.by} name={nameFor(comment.by, null, '')} />
      <div>
        <p className="meta">
          <bdi className="strong">{name}</bdi>{' '}
          <time dateTime={comment.at}>{clockWords(Date.parse(comment.at), serverNow(), reader)}</time>
        </p>
        <p className="comment-text" dir="auto">
          {piecesOf(comment.text, comment.mentions).map(({ text, mention }, index) =>
            mention === null ? (
              visible(text)
            ) : (
              <strong key={`${mention}${index}`}>@{nameFor(mention, null, '')}</strong>
            ),
          )}
        </p>
      </div>
    </li>
  );
}

interface WriteProps {
  holdId: string;
  myId: string | null;
  people: readonly string[];
  say: (text: string) => Promise<void>;
}

function Write({ holdId, myId, people, say }: WriteProps): ReactNode {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const key = `${myId ?? ''} ${holdId}`;
  const [text, setShown] = useState(typedBefore.get(key) ?? '');
  const [caret, setCaret] = useState(0);
  const [state, setState] = useState<'idle' | 'sending' | 'failed'>('idle');
  const setText = (next: string): void => {
    typedBefore.set(key, next);
    setShown(next);
  };
  const mention = typedMention(text, caret);
  const wanted = (mention?.typed ?? '').toLowerCase();
  const offered =
    mention === null
      ? []
      : people
          .filter((one) => [one, nameFor(one, null, '')].some((name) => name.toLowerCase().includes(wanted)))
          .slice(0, 6);
  const choose = (name: string): void => {
    const next = withMention(text, caret, name);
    setText(next.text);
    setCaret(next.caret);
    field.current?.focus();
    requestAnimationFrame(() => field.current?.setSelectionRange(next.caret, next.caret));
  };
  const submit = async (): Promise<void> => {
    if (text.trim() === '' || state === 'sending') return;
    setState('sending');
    try {
      await say(text.trim());
      setText('');
      setState('idle');
      announce(words.said);
    } catch {
      setState('failed');
    }
  };
  return (
    <form
      className="comment-write"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label htmlFor={id}>{words.label}</label>
      <textarea
        id={id}
        ref={field}
        rows={2}
        dir="auto"
        maxLength={4_000}
        value={text}
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          setText(event.target.value);
          setCaret(event.target.selectionStart);
        }}
        onKeyDown={(event) => {
          const [first] = offered;
          if (
            (event.key === 'Tab' || event.key === 'Enter') &&
            !event.shiftKey &&
            first !== undefined &&
            wanted !== ''
          ) {
            event.preventDefault();
            choose(first);
          } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            event.stopPropagation();
            void submit();
          }
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
      />
      {offered.length > 0 && (
        <div className="mentions" role="group" aria-label={words.people}>
          {offered.map((one) => (
            <button key={one} type="button" className="button small" onClick={() => choose(one)}>
              <bdi>{nameFor(one, null, '')}</bdi>
            </button>
          ))}
        </div>
      )}
      <p className="hint" id={`${id}-hint`}>
        {words.hint}
      </p>
      {state === 'failed' && (
        <p className="error" role="alert">
          {words.failed}
        </p>
      )}
      <button type="submit" className="button small" aria-disabled={state === 'sending' || undefined}>
        {state === 'sending' ? strings.hold.sending : words.send}
      </button>
    </form>
  );
}
