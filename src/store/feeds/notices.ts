// What a NOTIFY says: `<sender>:<topic>,<topic>,…`, and in a second line what was written to some of these logs, so that
// who follows one need not read it from the database. That line is encrypted as rows are, where there are keys.
import { openText, rowKey, sealedText } from '../sealed-columns.ts';
import type { Written } from './fresh-entries.ts';
import type { Topic } from './waiters.ts';

/** What has changed since the last notice; null: it is to be read. */
export type Changes = Map<Topic, readonly Written[] | null>;

/** PostgreSQL's limit is 8,000 bytes. */
const maxPayloadBytes = 7_000;
/** Larger ones are read from the log, as those are that come to a new reader. */
const maxNewsBytes = 4_000;
/** What Base64 adds, and around it the name of the key, a nonce and a tag. */
const sealedBytes = (bytes: number): number => (bytes === 0 ? 0 : Math.ceil((bytes * 4) / 3) + 200);

type News = Record<Topic, readonly Written[]>;

const place = 'notice.news';

/** As payloads within PostgreSQL's limit. */
export function pack(sender: string, changes: Changes): string[] {
  const payloads: string[] = [];
  let topics: Topic[] = [];
  let news: News = {};
  let [topicBytes, newsBytes] = [sender.length, 0];
  const flush = (): void => {
    if (topics.length === 0) return;
    const head = `${sender}:${topics.join(',')}`;
    const line = newsBytes === 0 ? '' : `\n${sealedText(JSON.stringify(news), place, rowKey(sender))}`;
    payloads.push(head + line);
    [topics, news, topicBytes, newsBytes] = [[], {}, sender.length, 0];
  };
  for (const [topic, written] of changes) {
    const added = written ?? [];
    const bytes = added.length === 0 ? 0 : Buffer.byteLength(JSON.stringify({ [topic]: added }));
    const more = bytes > maxNewsBytes ? 0 : bytes;
    if (topicBytes + 1 + topic.length + sealedBytes(newsBytes + more) > maxPayloadBytes) flush();
    topics.push(topic);
    topicBytes += 1 + topic.length;
    if (more === 0) continue;
    news[topic] = added;
    newsBytes += more;
  }
  flush();
  return payloads;
}

/** Reads a payload. What was written is left out where it cannot be read, or is not from one who has the keys. */
export function openNotice(payload: string): Changes {
  const [head = '', line = ''] = payload.split('\n', 2);
  // Topics may contain colons.
  const [sender = '', ...rest] = head.split(':');
  const topics = rest.join(':').split(',');
  const news = line === '' ? new Map<Topic, Written[]>() : readNews(line, sender);
  return new Map(topics.filter((topic) => topic !== '').map((topic) => [topic, news.get(topic) ?? null]));
}

function readNews(line: string, sender: string): Map<Topic, Written[]> {
  try {
    const lists = Object.entries(JSON.parse(openText(line, place, rowKey(sender))) as Record<string, unknown>);
    return new Map(
      lists.flatMap(([topic, list]) => (Array.isArray(list) && list.every(isWritten) ? [[topic, list]] : [])),
    );
  } catch {
    return new Map();
  }
}

function isWritten(value: unknown): value is Written {
  const { firstSeq, texts } = Object(value) as Partial<Written>;
  return Number.isInteger(firstSeq) && Array.isArray(texts) && texts.every((text) => typeof text === 'string');
}
