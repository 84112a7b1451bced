// How much later a token arrives through Standfast than from the agent itself.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Message, SendMessageRequest } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import { followThread, readRun } from './sse.mjs';

/** What a new run costs is measured alone: so long after the last stream has begun its tokens count. */
const settledNs = 1_000_000_000n;

/** The tokens of one stream, as they came. */
function createClock() {
  /** @type {{ sentAt: bigint, delayMs: number }[]} */
  const seen = [];
  return {
    seen,
    /** Takes text as it came: zero or more tokens, each the time it was sent at. */
    take(text) {
      const now = process.hrtime.bigint();
      for (const [sent] of text.matchAll(/\d{6,}/g)) {
        const sentAt = BigInt(sent);
        seen.push({ sentAt, delayMs: Number(now - sentAt) / 1e6 });
      }
    },
  };
}

/** Delays of what was sent while all of them streamed: not while one began or had ended. Throws where they never did. */
function delaysOf(clocks) {
  const started = clocks.map(({ seen }) => seen[0]?.sentAt ?? 0n);
  const from = started.reduce((last, one) => (one > last ? one : last)) + settledNs;
  const until = clocks.map(({ seen }) => seen.at(-1)?.sentAt ?? 0n).reduce((first, one) => (one < first ? one : first));
  const delays = clocks.flatMap(({ seen }) =>
    seen.filter(({ sentAt }) => sentAt >= from && sentAt <= until).map(({ delayMs }) => delayMs),
  );
  if (delays.length === 0)
    throw new Error(`${clocks.length} streams did not flow at one time: the last began too late`);
  return delays;
}

async function readDirectly(client, words, clock) {
  const parts = [{ text: words }];
  const message = Message.toJSON(Message.fromJSON({ messageId: randomUUID(), role: 'ROLE_USER', parts }));
  for await (const { payload } of client.sendMessageStream(SendMessageRequest.fromJSON({ message }))) {
    if (payload?.$case !== 'artifactUpdate') continue;
    for (const { content } of payload.value.artifact.parts) if (content?.$case === 'text') clock.take(content.value);
  }
}

/** Streams of one group, which begin together: on a busy machine the first of twenty had ended before the last began. */
const textOf = ({ streams, tokens, perSecond }) => `stream ${tokens} ${perSecond} ${randomUUID()} ${streams}`;

/** Delays of all tokens of some streams at once, straight from the agent. */
export async function directDelays(agentUrl, { streams, tokens, perSecond }) {
  const client = await new ClientFactory().createFromUrl(agentUrl);
  const clocks = Array.from({ length: streams }, createClock);
  const text = textOf({ streams, tokens, perSecond });
  await Promise.all(clocks.map((clock) => readDirectly(client, text, clock)));
  return delaysOf(clocks);
}

/** The same through Standfast's api. */
export async function standfastDelays(runUrl, { streams, tokens, perSecond }) {
  const clocks = Array.from({ length: streams }, createClock);
  const text = textOf({ streams, tokens, perSecond });
  await Promise.all(
    clocks.map((clock) =>
      readRun(runUrl, { threadId: randomUUID(), runId: randomUUID(), text }, (event) => {
        if (event.type === 'TEXT_MESSAGE_CONTENT') clock.take(event.delta ?? '');
      }),
    ),
  );
  return delaysOf(clocks);
}

/** One task's tokens as many readers of its thread see them, all connected before the first. */
export async function fanOutDelays(runUrl, { readers, tokens, perSecond }) {
  const threadId = randomUUID();
  const clocks = Array.from({ length: readers }, createClock);
  // The first question parks the task; its readers then wait for the turn that streams.
  const asked = await readRun(runUrl, { threadId, runId: 'ask', text: `ask stream ${tokens} ${perSecond}` });
  const streamUrl = `${runUrl.slice(0, -'/run'.length)}/threads/${threadId}/events`;
  const ends = new AbortController();
  const connected = clocks.map((clock) => followThread(streamUrl, ends.signal, (text) => clock.take(text)));
  await Promise.all(connected.map(({ isOpen }) => isOpen));
  const interruptId = asked.outcome?.interrupts?.[0]?.id;
  const resume = [{ interruptId, status: 'resolved', payload: { colour: 'green' } }];
  await readRun(runUrl, { threadId, runId: 'answer', resume });
  const all = () => clocks.every(({ seen }) => seen.length >= tokens);
  for (const until = performance.now() + 10_000; !all() && performance.now() < until;) await sleep(50);
  ends.abort();
  await Promise.all(connected.map(({ ended }) => ended));
  return delaysOf(clocks);
}

/** From posting a new run to its first event, one run after the other. */
export async function firstEventDelays(runUrl, times) {
  const delaysMs = [];
  for (let n = 0; n < times; n += 1) {
    const startedAt = performance.now();
    let first;
    await readRun(runUrl, { threadId: randomUUID(), runId: randomUUID(), text: 'hello' }, () => {
      first ??= performance.now() - startedAt;
    });
    delaysMs.push(first);
  }
  return delaysMs;
}
