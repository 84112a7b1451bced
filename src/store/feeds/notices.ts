// What a NOTIFY says: `<sender>:<topic>,<topic>,…`, and in a second line what was written to some of these logs, so that
// who follows one need not read it from the database. That line is encrypted as rows are, where there are keys.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { openText, rowKey, sealedText } from '../sealed-columns.ts';
import type { Claimed, Written } from './fresh-entries.ts';
import { runTopic, type News, type Topic } from './waiters.ts';

/** What has changed since the last notice; null: it is to be read. */
export type Changes = Map<Topic, readonly News[] | null>;

/** PostgreSQL's limit is 8,000 bytes. */
const maxPayloadBytes = 7_000;
/** What is larger is compressed. */
const maxPlainBytes = 2_500;
/** Larger ones are read from the log, as those are that come to a new reader. */
const maxNewsBytes = 4_000;
/** Compressing takes some 10 µs a KB, reading a log more than a millisecond. */
const maxWholeBytes = 48 * 1024;
/** What Base64 adds, and around it the name of the key, a nonce and a tag. */
const sealedBytes = (bytes: number): number => (bytes === 0 ? 0 : Math.ceil((bytes * 4) / 3) + 200);

const place = 'notice.news';

/** As payloads within PostgreSQL's limit. */
export function pack(sender: string, changes: Changes): string[] {
  const payloads: string[] = [];
  let topics: Topic[] = [];
  let news: Record<Topic, JsonOfNews> = {};
  let [topicBytes, newsBytes] = [sender.length, 0];
  const flush = (): void => {
    if (topics.length === 0) return;
    const head = `${sender}:${topics.join(',')}`;
    const line = newsBytes === 0 ? '' : `\n${sealedText(JSON.stringify(news), place, rowKey(sender))}`;
    payloads.push(head + line);
    [topics, news, topicBytes, newsBytes] = [[], {}, sender.length, 0];
  };
  for (const [topic, written] of changes) {
    const added = smallest(written ?? []);
    const more = added === null ? 0 : Buffer.byteLength(JSON.stringify({ [topic]: added }));
    if (topicBytes + 1 + topic.length + sealedBytes(newsBytes + more) > maxPayloadBytes) flush();
    topics.push(topic);
    topicBytes += 1 + topic.length;
    if (added === null) continue;
    news[topic] = added;
    newsBytes += more;
  }
  flush();
  return payloads;
}

/** The news of one topic: as they are, or compressed, in Base64. */
type JsonOfNews = readonly News[] | string;

/** In the form that fits; null: there is nothing, or too much. */
function smallest(news: readonly News[]): JsonOfNews | null {
  if (news.length === 0) return null;
  const text = JSON.stringify(news);
  if (text.length > maxWholeBytes) return null;
  const form = text.length <= maxPlainBytes ? news : deflateRawSync(text).toString('base64');
  return Buffer.byteLength(typeof form === 'string' ? form : text) > maxNewsBytes ? null : form;
}

/** Reads a payload. What was written is left out where it cannot be read, or is not from one who has the keys. */
export function openNotice(payload: string): Changes {
  const [head = '', line = ''] = payload.split('\n', 2);
  // Topics may contain colons.
  const [sender = '', ...rest] = head.split(':');
  const topics = rest.join(':').split(',');
  const news = line === '' ? new Map<Topic, News[]>() : readNews(line, sender);
  return new Map(topics.filter((topic) => topic !== '').map((topic) => [topic, news.get(topic) ?? null]));
}

function readNews(line: string, sender: string): Map<Topic, News[]> {
  try {
    const lists = Object.entries(JSON.parse(openText(line, place, rowKey(sender))) as Record<string, unknown>);
    return new Map(
      lists.flatMap(([topic, form]) => {
        const list = typeof form === 'string' ? inflated(form) : form;
        return Array.isArray(list) && list.every((one) => isNewsOf(topic, one)) ? [[topic, list]] : [];
      }),
    );
  } catch {
    return new Map();
  }
}

/** Bounded: each program that writes to the database may send a notice. */
const inflated = (form: string): unknown =>
  JSON.parse(inflateRawSync(Buffer.from(form, 'base64'), { maxOutputLength: 4 * maxWholeBytes }).toString('utf8'));

function isNewsOf(topic: Topic, value: unknown): value is News {
  const { firstSeq, texts, run } = Object(value) as Partial<Written & Claimed>;
  if (run !== undefined) return Number.isInteger(run.logId) && runTopic(run) === topic;
  return Number.isInteger(firstSeq) && Array.isArray(texts) && texts.every((text) => typeof text === 'string');
}
