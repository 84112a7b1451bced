import type { ReactNode } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import type { Chat } from '../../../../src/contract/views/inbox.ts';
import { parseActor } from '../../../../src/core/policy/audience-entry.ts';
import { shortName } from '../../base/account/names.ts';
import { Link } from '../../base/router/router.ts';
import { holdPath } from '../../base/router/routes.ts';
import { strings } from '../../i18n/strings.ts';
import { clockAt } from '../../base/time/time.ts';
import { Markdown } from '../text/agent-block.tsx';
import { AsWritten } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icons.tsx';
import { chatEndWords } from './chat-end.ts';
import { endGlyphs } from '../words/ends.ts';
import { actorWords } from '../words/people.ts';
import { QuestionCard } from './question-card.tsx';
import { visible } from '../../base/text/visible.ts';

interface Props {
  chat: Chat;
  agent: string;
  /** The question whose page this is on: it is not linked again. */
  holdId?: string;
  /** Questions of this conversation, drawn where they were asked. */
  holds?: readonly HoldView[];
}

/** The messages so far, oldest first; the agent's text drawn as everywhere, people's as they wrote it. */
export function Conversation({ chat, agent, holdId, holds = [] }: Props): ReactNode {
  const words = strings.task;
  if (chat.items.length === 0) return <p className="meta">{words.noMessages}</p>;
  return (
    <>
      {chat.source === 'stored' && <p className="meta">{strings.hold.stored}</p>}
      <ol className="talk stack">
        {chat.items.map((item) => {
          const who =
            item.role === 'agent' ? agent : item.by === null ? words.roles[item.role] : speakerWords(item.by, agent);
          const asked = item.end === undefined ? holds.find(({ id }) => id === item.holdId) : undefined;
          return (
            <li key={item.id} className={`talk-${item.role}`}>
              <p className="meta">
                <bdi className="strong">{who}</bdi>{' '}
                {item.at !== null && <time dateTime={item.at}>{clockAt(item.at)}</time>}
                {item.holdId !== null && item.holdId !== holdId && !holds.some(({ id }) => id === item.holdId) && (
                  <Link to={holdPath(item.holdId)}>{words.seeQuestion}</Link>
                )}
              </p>
              {item.end !== undefined && (
                <p className="talk-end cluster">
                  <span className={`end-glyph ${endGlyphs[item.end.name].tone}`}>
                    <Icon name={endGlyphs[item.end.name].icon} />
                  </span>
                  {chatEndWords(item.end, agent)}
                </p>
              )}
              {asked !== undefined ? (
                <>
                  {item.text.trim() !== asked.title.trim() && <Markdown text={item.text} />}
                  <QuestionCard hold={asked} />
                </>
              ) : item.role === 'agent' ? (
                <Markdown text={item.text} />
              ) : (
                <AsWritten text={item.text} />
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

/** The agent that is talked to has one name throughout; any other is called an agent. */
const speakerWords = (by: string, agent: string): string =>
  parseActor(by).kind === 'agent' && shortName(by) === agent ? agent : actorWords(by, null);
