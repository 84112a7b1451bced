// The model of the OpenAI agents here, whose words are those of python/payer.py: "pay 1 and 2", "pay 3 again", "fail", "slow", and
// anything else.
import { appendFileSync } from 'node:fs';
import { Usage } from '@openai/agents';

/** Writes down what was executed. */
export const count = (...values) => appendFileSync(process.env.AGENT_LEDGER, `${JSON.stringify(values)}\n`);

const callsFor = (words) =>
  [...words.matchAll(/\d+/gu)].map(([invoice]) => ({
    type: 'function_call',
    callId: `call-${crypto.randomUUID().slice(0, 8)}`,
    name: 'pay',
    status: 'completed',
    arguments: JSON.stringify({ invoice: Number(invoice), to: 'Miller Ltd' }),
  }));

const outputOf = ({ output }) => (typeof output === 'string' ? output : String(output?.text));

/** What the model says to a conversation: pieces of text, or calls. */
function replyTo(input) {
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const { content } = items.findLast(({ role }) => role === 'user');
  const words = typeof content === 'string' ? content : content.map(({ text }) => text).join(' ');
  if (words.includes('fail')) {
    count('failed', Date.now());
    throw new Error('the model is out of order');
  }
  const calls = items.filter(({ type }) => type === 'function_call').length;
  const results = items.filter(({ type }) => type === 'function_call_result').map(outputOf);
  const isRefused = results.length === 1 && !results[0].startsWith('paid');
  if (words.includes('pay') && (calls === 0 || (words.includes('again') && isRefused)))
    return { calls: callsFor(words) };
  return { texts: calls > 0 ? [`Done: ${results.join('; ')}`] : ['One ', 'two ', 'three ', 'four'], words };
}

export const model = {
  async *getStreamedResponse({ input }) {
    const { calls = [], texts = [], words = '' } = replyTo(input);
    if (words.includes('slow')) {
      count('slow');
      await new Promise(() => setInterval(() => {}, 60_000));
    }
    yield { type: 'response_started' };
    for (const delta of texts) yield { type: 'output_text_delta', delta };
    const sent = { type: 'message', role: 'assistant', status: 'completed' };
    const output = texts.length > 0 ? [{ ...sent, content: [{ type: 'output_text', text: texts.join('') }] }] : calls;
    const usage = new Usage({ inputTokens: 1, outputTokens: 1, totalTokens: 2 });
    yield { type: 'response_done', response: { id: crypto.randomUUID(), usage, output } };
  },
  async getResponse() {
    throw new Error('this agent streams');
  },
};
