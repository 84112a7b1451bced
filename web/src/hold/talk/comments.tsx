// Comments among those who may decide on a question; the agent never receives them.
import { type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import type { CommentsView, HoldView } from '../../../../src/contract/holds/hold.ts';
import { holdApi, send } from '../../base/live/api.ts';
import { type Read, useRead } from '../../base/live/use-read.ts';
import { useSending } from '../../base/live/use-sending.ts';
import { afterPaint } from '../../base/page/after-paint.ts';
import { announce } from '../../base/page/announce.tsx';
import { nameFor } from '../../base/account/names.ts';
import { clockAt } from '../../base/time/time.ts';
import { strings } from '../../i18n/strings.ts';
import { ErrorText } from '../../ui/controls.tsx';
import { Monogram } from '../../ui/monogram.tsx';
import { useKeptText } from '../draft/use-kept-text.ts';
import { visible } from '../../base/text/visible.ts';
import { piecesOf, typedMention, withMention } from './mention.ts';
import './talk.css';

const words = strings.talk;

/** Those who may discuss the question read them again with each change of it. */
export const useComments = ({ id, mayDiscuss, version }: HoldView): Read<CommentsView> =>
  useRead<CommentsView>(mayDiscuss ? holdApi(id, '/comments') : null, { on: version, begin: afterPaint });

export function Comments({
  holdId,
  myId,
  discussion,
}: {
  holdId: string;
  myId: string | null;
  discussion: Read<CommentsView>;
}): ReactNode {
  const { data: comments, reread } = discussion;
  if (comments === null) return <p className="meta">{strings.app.loading}</p>;
  return (
    <div className="comments">
      {comments.items.length === 0 && <p className="meta">{words.none}</p>}
      <ul className="stack">
        {comments.items.map((one) => (
          <Comment key={one.id} comment={one} myId={myId} />
        ))}
      </ul>
      <Write holdId={holdId} myId={myId} people={comments.people} onSent={reread} />
    </div>
  );
}

function Comment({ comment, myId }: { comment: CommentsView['items'][number]; myId: string | null }): ReactNode {
  const name = nameFor(comment.by, myId, strings.hold.you);
  return (
    <li className="comment">
      <Monogram id={comment.by} name={nameFor(comment.by, null, '')} isPerson />
      <div>
        <p className="meta">
          <bdi className="strong">{name}</bdi> <time dateTime={comment.at}>{clockAt(comment.at)}</time>
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

interface MentionOptions {
  people: readonly string[];
  field: RefObject<HTMLTextAreaElement | null>;
  text: string;
  setText: (text: string) => void;
}

/** Who may be meant by the name that is being typed at the caret. */
function useMentions({ people, field, text, setText }: MentionOptions) {
  const [caret, setCaret] = useState(0);
  const mention = typedMention(text, caret);
  const typed = (mention?.typed ?? '').toLowerCase();
  const isMeant = (one: string): boolean =>
    [one, nameFor(one, null, '')].some((name) => name.toLowerCase().includes(typed));
  const offered = mention === null ? [] : people.filter(isMeant).slice(0, 6);
  const choose = (name: string): void => {
    const next = withMention(text, caret, name);
    setText(next.text);
    setCaret(next.caret);
    field.current?.focus();
    requestAnimationFrame(() => field.current?.setSelectionRange(next.caret, next.caret));
  };
  return { offered, likeliest: typed === '' ? undefined : offered[0], setCaret, choose };
}

interface WriteProps {
  holdId: string;
  myId: string | null;
  people: readonly string[];
  onSent: () => void;
}

function Write({ holdId, myId, people, onSent }: WriteProps): ReactNode {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useKeptText(`comment ${myId ?? ''} ${holdId}`);
  const { offered, likeliest, setCaret, choose } = useMentions({ people, field, text, setText });
  const { isSending, why, run } = useSending(() => words.failed);
  const submit = async (): Promise<void> => {
    if (text.trim() === '' || isSending) return;
    await run(async () => {
      await send('POST', holdApi(holdId, '/comments'), { text: text.trim() });
      setText('');
      onSent();
      announce(words.added);
    });
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
          const takes = (event.key === 'Tab' || event.key === 'Enter') && !event.shiftKey;
          if (takes && likeliest !== undefined) {
            event.preventDefault();
            choose(likeliest);
          } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            event.stopPropagation();
            void submit();
          }
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
      />
      {offered.length > 0 && (
        <div className="cluster" role="group" aria-label={words.people}>
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
      <ErrorText why={why} />
      <button type="submit" className="button small" aria-disabled={isSending || undefined}>
        {isSending ? strings.hold.sending : words.send}
      </button>
    </form>
  );
}
