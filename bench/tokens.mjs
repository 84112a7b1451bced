// How much later a token arrives through Holdpoint than from the agent itself.
import { randomUUID } from 'node:crypto';
import { Message, SendMessageRequest } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import { readRun } from './sse.mjs';

/**
 * The first second of each stream is left out: all of them begin in the same moment, and what a new run costs is
 * measured by itself.
 */
const warmingUp = 20;

function createClock() {
  let seen = 0;
  const delaysMs = [];
  return {
    delaysMs,
    /** Takes text as it came: zero or more tokens, each the time it was sent at. */
    take(text) {
      const now = process.hrtime.bigint();
      for (const [sentAt] of text.matchAll(/\d{6,}/g)) {
        seen += 1;
        if (seen > warmingUp) delaysMs.push(Number(now - BigInt(sentAt)) / 1e6);
      }
    },
  };
}

async function readDirectly(client, words, clock) {
  const parts = [{ text: words }];
  const message = Message.toJSON(Message.fromJSON({ messageId: randomUUID(), role: 'ROLE_USER', parts }));
  for await (const { payload } of client.sendMessageStream(SendMessageRequest.fromJSON({ message }))) {
    if (payload?.$case !== 'artifactUpdate') continue;
    for (const { content } of payload.value.artifact.parts) if (content?.$case === 'text') clock.take(content.value);
  }
}

/** Delays of all tokens of some streams at once, straight from the agent. */
export async function directDelays(agentUrl, { streams, tokens, perSecond }) {
  const client = await new ClientFactory().createFromUrl(agentUrl);
  const clocks = Array.from({ length: streams }, createClock);
  await Promise.all(clocks.map((clock) => readDirectly(client, `stream ${tokens} ${perSecond}`, clock)));
  return clocks.flatMap(({ delaysMs }) => delaysMs);
}

/** The same through Holdpoint's api. */
export async function holdpointDelays(runUrl, { streams, tokens, perSecond }) {
  const clocks = Array.from({ length: streams }, createClock);
  const text = `stream ${tokens} ${perSecond}`;
  await Promise.all(
    clocks.map((clock) =>
      readRun(runUrl, { threadId: randomUUID(), runId: randomUUID(), text }, (event) => {
        if (event.type === 'TEXT_MESSAGE_CONTENT') clock.take(event.delta ?? '');
      }),
    ),
  );
  return clocks.flatMap(({ delaysMs }) => delaysMs);
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
