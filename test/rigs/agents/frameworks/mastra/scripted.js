// The model of the Mastra agents here, whose words are those of python/payer.py: "pay 1 and 2", "pay 3 again", "fail", "slow", and
// anything else; "a trip" is booked.
import { appendFileSync } from 'node:fs';

/** Writes down what was executed. */
export const count = (...values) => appendFileSync(process.env.AGENT_LEDGER, `${JSON.stringify(values)}\n`);

const textOf = (content) => (typeof content === 'string' ? content : content.map((part) => part.text ?? '').join(' '));

/** Calls `pay` for each invoice that the person names, or `book`; then says what came of it, or asks once more. */
async function partsFor(prompt) {
  const words = textOf(prompt.findLast(({ role }) => role === 'user').content);
  if (words.includes('fail')) {
    count('failed', Date.now());
    throw new Error('the model is out of order');
  }
  if (words.includes('slow')) {
    count('slow');
    await new Promise(() => setInterval(() => {}, 60_000));
  }
  const results = prompt
    .filter(({ role }) => role === 'tool')
    .flatMap(({ content }) => content.map(({ output }) => JSON.stringify(output?.value ?? output)));
  const isAgain = words.includes('again') && results.length === 1 && !results[0].includes('paid');
  if (results.length > 0 && !isAgain) return [{ type: 'text', text: `Done: ${results.join(' | ')}` }];
  const calls = [...words.matchAll(/\d+/gu)].map(([invoice]) => [
    'pay',
    { invoice: Number(invoice), to: 'Miller Ltd' },
  ]);
  if (words.includes('trip')) calls.push(['book', { city: 'Rome' }]);
  if (calls.length === 0) return [{ type: 'text', text: 'One two three four' }];
  return calls.map(([toolName, args]) => ({
    type: 'tool-call',
    toolCallId: `call-${crypto.randomUUID().slice(0, 8)}`,
    toolName,
    input: JSON.stringify(args),
  }));
}

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const finishReason = (parts) => (parts.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop');

/** A text word by word, as models send it. */
const streamed = (part) =>
  part.type === 'tool-call'
    ? [part]
    : [
        { type: 'text-start', id: 't' },
        ...part.text.split(/(?<= )/u).map((delta) => ({ type: 'text-delta', id: 't', delta })),
        { type: 'text-end', id: 't' },
      ];

export const model = {
  specificationVersion: 'v2',
  provider: 'scripted',
  modelId: 'scripted',
  supportedUrls: {},
  async doGenerate({ prompt }) {
    const content = await partsFor(prompt);
    return { content, finishReason: finishReason(content), usage, warnings: [] };
  },
  async doStream({ prompt }) {
    const parts = await partsFor(prompt);
    const end = { type: 'finish', finishReason: finishReason(parts), usage };
    const chunks = [{ type: 'stream-start', warnings: [] }, ...parts.flatMap(streamed), end];
    return { stream: ReadableStream.from(chunks) };
  },
};
