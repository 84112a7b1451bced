import { agentTitle } from '../base/account/names.ts';
import { CopyButton } from '../hold/text/copy-button.tsx';
import { AsWritten } from '../ui/controls.tsx';
import { Monogram } from '../ui/monogram.tsx';
import { memo, type ReactNode, useMemo } from 'react';
import { Markdown } from '../hold/text/agent-block.tsx';
import { dictOf } from '../hold/values/dict.ts';
import { humanise } from '../hold/values/humanise.ts';
import { oneLine, visible } from '../base/text/visible.ts';
import { Link } from '../base/router/router.ts';
import { holdPath } from '../base/router/routes.ts';
import { strings } from '../i18n/strings.ts';
import { type ChatItem, itemsAbove, type OpenQuestion, type Talk } from './conversation-state.ts';

const words = strings.chat;

/** The messages so far; questions that are still open follow below, as cards. */
export function ChatItems({
  talk,
  agent,
  asked,
  isLanding,
}: {
  talk: Talk;
  agent: string;
  asked: readonly OpenQuestion[];
  /** Whom one writes to is shown in large letters. */
  isLanding: boolean;
}): ReactNode {
  const items = itemsAbove(talk.items, asked);
  if (items.length === 0 && talk.run === 'idle' && asked.length === 0)
    return <p className={isLanding ? 'sr-only' : 'meta'}>{words.noMessages(agentTitle(agent))}</p>;
  // The agent is writing it: a caret is drawn at its end.
  const isStreamed = (item: ChatItem): boolean =>
    talk.run === 'running' && item === items.at(-1) && item.kind === 'text' && item.role !== 'user';
  return (
    <ol className="talk stack chat-items" aria-label={words.messages}>
      {items.map((item) => (
        <Message key={`${item.kind} ${item.id}`} item={item} agent={agent} isStreamed={isStreamed(item)} />
      ))}
    </ol>
  );
}

interface MessageProps {
  item: ChatItem;
  agent: string;
  isStreamed: boolean;
}

/** Drawn again only when it is another one: a word that streams in redraws its own message alone. */
const Message = memo(function Message({ item, agent, isStreamed }: MessageProps): ReactNode {
  const from = item.kind === 'text' ? ` from-${item.role}` : '';
  return (
    <li className={`chat-${item.kind}${from}${isStreamed ? ' streaming' : ''}`}>
      <Item item={item} agent={agent} />
    </li>
  );
});

function Item({ item, agent }: { item: ChatItem; agent: string }): ReactNode {
  switch (item.kind) {
    case 'text':
      return (
        <>
          {item.role === 'user' ? (
            <span className="sr-only">{words.you}</span>
          ) : (
            <>
              <Monogram id={agent} name={agentTitle(agent)} />
              <span className="sr-only">{agentTitle(agent)}</span>
            </>
          )}
          {item.role === 'user' ? (
            <AsWritten text={item.text} />
          ) : (
            <>
              <Markdown text={item.text} />
              <CopyButton className="quiet small chat-copy" text={item.text} />
            </>
          )}
        </>
      );
    case 'reasoning':
      return (
        <details className="fold-inline">
          <summary>{words.reasoning}</summary>
          <AsWritten className="meta" text={item.text} />
        </details>
      );
    case 'tool':
      return <ToolCall item={item} />;
    case 'card':
      return <Card item={item} />;
    default:
      return item satisfies never;
  }
}

function ToolCall({ item }: { item: Extract<ChatItem, { kind: 'tool' }> }): ReactNode {
  const args = useMemo(() => pretty(item.args), [item.args]);
  return (
    <details className="fold-inline">
      <summary>
        {words.toolCall(oneLine(item.name, 80))}{' '}
        {item.result !== null && <span className="meta">· {words.toolResult}</span>}
      </summary>
      {args !== '' && (
        <pre tabIndex={0} aria-label={words.toolArgs}>
          {visible(args)}
        </pre>
      )}
      {item.result !== null && (
        <pre tabIndex={0} aria-label={words.toolResult}>
          {visible(pretty(item.result))}
        </pre>
      )}
    </details>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** A question that is no longer open, in one line; other cards by their name. */
function Card({ item }: { item: Extract<ChatItem, { kind: 'card' }> }): ReactNode {
  const { stage, decision, form, reason } = item.content;
  const title = dictOf(form)['title'] ?? reason;
  const word = typeof decision === 'string' ? decision : typeof stage === 'string' ? stage : item.type;
  return (
    <p className="meta">
      <Link to={holdPath(item.id)}>
        {typeof title === 'string' && title !== '' ? oneLine(title, 100) : words.activity}
      </Link>{' '}
      · {humanise(word)}
    </p>
  );
}
