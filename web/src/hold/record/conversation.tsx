import type { ReactNode } from 'react';
import type { Chat } from '../../../../src/contract/inbox.ts';
import { serverNow } from '../../app/api.ts';
import { Link } from '../../app/router.ts';
import { holdPath } from '../../app/routes.ts';
import { strings } from '../../i18n/strings.ts';
import { clockWords, reader } from '../../app/time.ts';
import { Markdown } from '../text/agent-block.tsx';
import { Icon } from '../../ui/icons.tsx';
import { chatEndGlyph, chatEndWords } from './chat-end.ts';
import { actorWords } from '../words/people.ts';
import { visible } from '../text/visible.ts';

interface Props {
  chat: Chat;
  agent: string;
  /** The question whose page this is on: it is not linked again. */
  holdId?: string;
}

/** What was said so far, oldest first; the agent's words drawn as everywhere, people's as they wrote them. */
export function Conversation({ chat, agent, holdId }: Props): ReactNode {
  const words = strings.task;
  if (chat.items.length === 0) return <p className="meta">{words.noMessages}</p>;
  const now = serverNow();
  return (
    <>
      {chat.source === 'stored' && <p className="meta">{strings.hold.stored}</p>}
      <ol className="talk">
        {chat.items.map((item) => {
          const who =
            item.role === 'agent' ? agent : item.by === null ? words.roles[item.role] : actorWords(item.by, null);
          return (
            <li key={item.id} className={`talk-${item.role}`}>
              <p className="meta">
                <bdi className="strong">{who}</bdi>{' '}
                {item.at !== null && <time dateTime={item.at}>{clockWords(Date.parse(item.at), now, reader)}</time>}
                {item.holdId !== null && item.holdId !== holdId && (
                  <Link to={holdPath(item.holdId)}>{words.seeQuestion}</Link>
                )}
              </p>
              {item.end !== undefined && (
                <p className="talk-end">
                  <span className={`end-glyph ${chatEndGlyph(item.end).tone}`}>
                    <Icon name={chatEndGlyph(item.end).icon} />
                  </span>
                  {chatEndWords(item.end, agent)}
                </p>
              )}
              {item.role === 'agent' ? (
                <Markdown text={item.text} />
              ) : (
                <p className="asis" dir="auto">
                  {visible(item.text)}
                </p>
              )}
              {item.files.map((file, index) => (
                <p key={`${file.name}${index}`} className="meta" dir="auto">
                  {file.url === null ? (
                    strings.hold.file(visible(file.name))
                  ) : (
                    <a href={file.url} target="_blank" rel="noopener noreferrer">
                      {strings.hold.file(visible(file.name))}
                    </a>
                  )}
                </p>
              ))}
            </li>
          );
        })}
      </ol>
    </>
  );
}
