// An agent on the OpenAI Agents SDK for JavaScript behind the A2A SDK: a scripted model, and a tool that needs approval, which is
// asked by a form for each call. Its words are those of python/payer.py: "pay 1 and 2", "pay 3 again", "fail", "slow", and anything else.
import { appendFileSync } from 'node:fs';
import { Agent, run, setTracingDisabled, tool, Usage } from '@openai/agents';
import { z } from 'zod';
import { serveTurns } from './a2a-executor.js';

const port = Number(process.argv[process.argv.indexOf('--port') + 1]);
const count = (...values) => appendFileSync(process.env.AGENT_LEDGER, `${JSON.stringify(values)}\n`);
setTracingDisabled(true);

const pay = tool({
  name: 'pay',
  description: 'Pays an invoice.',
  parameters: z.object({ invoice: z.number(), to: z.string() }),
  needsApproval: true,
  execute: async ({ invoice, to }) => {
    count(invoice, to);
    return `paid ${invoice} to ${to}`;
  },
});

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

const model = {
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

const agent = new Agent({ name: 'payer', instructions: 'Pays invoices.', model, tools: [pay] });
/** What waits for approval, by task; of a program that is to outlive its process `state.toString()` belongs in a database. */
const waiting = new Map();

const argsOf = ({ rawItem }) => JSON.parse(rawItem.arguments);
const callOf = ({ rawItem, name }) => ({
  data: { type: 'tool-call', id: rawItem.callId, name, arguments: JSON.parse(rawItem.arguments) },
});
const formOf = (item) => ({
  data: {
    type: 'a2a.hitl.form',
    formId: item.rawItem.callId,
    toolCallId: item.rawItem.callId,
    title: `Pay invoice ${argsOf(item).invoice}?`,
    fields: [
      { name: 'approved', type: 'boolean', required: true },
      { name: 'reason', label: 'Why not', type: 'text' },
    ],
  },
});

/** The state goes on with what was decided about each of its calls. */
function decided({ state, interruptions }, data) {
  for (const item of interruptions) {
    const { values } = data.find(({ formId }) => formId === item.rawItem.callId) ?? { values: {} };
    if (values.approved === true) state.approve(item);
    else state.reject(item, { message: `not paid: ${values.reason ?? ''}` });
  }
  return state;
}

serveTurns(port, async ({ taskId, isFirst, text, data, say, report }) => {
  const given = isFirst ? text : decided(waiting.get(taskId), data);
  const stream = await run(agent, given, { stream: true });
  for await (const piece of stream.toTextStream()) say(piece);
  await stream.completed;
  if (stream.interruptions.length === 0) return [];
  waiting.set(taskId, stream);
  report(stream.interruptions.map(callOf));
  return stream.interruptions.map(formOf);
});
