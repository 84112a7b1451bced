// Vercel AI SDK: a payment that a person approves. The model is scripted: it needs no key.
//   npm install ai @standfast/client && STANDFAST_API_KEY=… node payment.js invoice-7
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createStandfastClient } from '@standfast/client';
import { answerApprovals } from '@standfast/client/ai-sdk';
import { generateText, jsonSchema, tool } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';

const [runId = 'invoice-7'] = process.argv.slice(2);
const { STANDFAST_URL: baseUrl = 'http://127.0.0.1:8600', STANDFAST_API_KEY: apiKey, RUNS_DIR = '.runs' } = process.env;
const standfast = createStandfastClient({ baseUrl, apiKey });

mkdirSync(RUNS_DIR, { recursive: true });
const file = join(RUNS_DIR, `${runId}.json`);
/** Written whole or not at all, so that a new process goes on with it. */
function keep(messages) {
  writeFileSync(`${file}.draft`, JSON.stringify(messages), { flush: true });
  renameSync(`${file}.draft`, file);
}

const tools = {
  pay: tool({
    description: 'Pays an amount of EUR.',
    inputSchema: jsonSchema({ type: 'object', properties: { amount: { type: 'number' }, to: { type: 'string' } } }),
    needsApproval: true,
    execute: async ({ amount, to }) => {
      appendFileSync(join(RUNS_DIR, 'payments.txt'), `${amount} ${to}\n`);
      return `paid ${amount} to ${to}`;
    },
  }),
};

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const model = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => {
    const result = prompt.flatMap(({ content }) => content).findLast(({ type }) => type === 'tool-result');
    const content =
      result === undefined
        ? { type: 'tool-call', toolCallId: 'call-1', toolName: 'pay', input: '{"amount":4210,"to":"Miller Ltd"}' }
        : { type: 'text', text: String(result.output.value ?? result.output.reason) };
    const finishReason = { unified: result === undefined ? 'tool-calls' : 'stop', raw: undefined };
    return { content: [content], finishReason, usage, warnings: [] };
  },
});

let messages = existsSync(file)
  ? JSON.parse(readFileSync(file, 'utf8'))
  : [{ role: 'user', content: 'Pay 4210 EUR to Miller Ltd.' }];
for (;;) {
  const answers = await answerApprovals(messages, { standfast, runId });
  if (answers !== null) messages = [...messages, answers];
  const { text, response } = await generateText({ model, tools, messages });
  // Newer versions repeat in `response.messages` only what is new.
  messages = [...messages, ...response.messages];
  keep(messages);
  const asksAgain = response.messages.some(
    ({ content }) => Array.isArray(content) && content.some(({ type }) => type === 'tool-approval-request'),
  );
  if (asksAgain) continue;
  console.log(`done: ${text}`);
  break;
}
