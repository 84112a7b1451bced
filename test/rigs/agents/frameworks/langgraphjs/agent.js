// An agent on LangChain and LangGraph for JavaScript behind the A2A SDK: a scripted model, and a tool whose calls are reviewed. Its
// words are those of python/payer.py: "pay 1 and 2", "pay 3 again", "fail", "slow", and anything else; "a trip" is asked about by
// a graph's own interrupts, of a form and of two words.
import { appendFileSync } from 'node:fs';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessageChunk } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { Command, interrupt, MemorySaver, MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { createAgent, humanInTheLoopMiddleware, tool } from 'langchain';
import { z } from 'zod';
import { serveTurns } from './a2a-executor.js';

const port = Number(process.argv[process.argv.indexOf('--port') + 1]);
const count = (...values) => appendFileSync(process.env.AGENT_LEDGER, `${JSON.stringify(values)}\n`);

const pay = tool(
  ({ invoice, to }) => {
    count(invoice, to);
    return `paid ${invoice} to ${to}`;
  },
  { name: 'pay', description: 'Pays an invoice.', schema: z.object({ invoice: z.number(), to: z.string() }) },
);

const textOf = ({ text }) => String(text);
const callsFor = (words) =>
  [...words.matchAll(/\d+/gu)].map(([invoice], index) => ({
    type: 'tool_call_chunk',
    index,
    id: `call-${crypto.randomUUID().slice(0, 8)}`,
    name: 'pay',
    args: JSON.stringify({ invoice: Number(invoice), to: 'Miller Ltd' }),
  }));

/** What the model says to a conversation: pieces of text, or calls. */
function replyTo(messages) {
  const words = textOf(messages.findLast((one) => one.type === 'human'));
  const asked = messages.findLastIndex((one) => one.type === 'ai');
  const results = messages.slice(asked + 1).filter((one) => one.type === 'tool');
  const isRefused = results.some((one) => one.status === 'error');
  const rounds = messages.filter((one) => one.type === 'ai').length;
  if (words.includes('pay') && (rounds === 0 || (words.includes('again') && isRefused && rounds === 1)))
    return { calls: callsFor(words), texts: [] };
  if (rounds > 0) return { calls: [], texts: [`Done: ${results.map(textOf).join('; ')}`] };
  return { calls: [], texts: ['One ', 'two ', 'three ', 'four'] };
}

class ScriptedModel extends BaseChatModel {
  _llmType() {
    return 'scripted';
  }
  bindTools() {
    return this;
  }
  async _generate(messages, options) {
    let whole;
    for await (const { message } of this._streamResponseChunks(messages, options))
      whole = whole === undefined ? message : whole.concat(message);
    return { generations: [{ text: whole.text, message: whole }] };
  }
  async *_streamResponseChunks(messages, _options, runManager) {
    const words = textOf(messages.findLast((one) => one.type === 'human'));
    if (words.includes('fail')) {
      count('failed', Date.now());
      throw new Error('the model is out of order');
    }
    if (words.includes('slow')) {
      count('slow');
      await new Promise(() => setInterval(() => {}, 60_000));
    }
    const { calls, texts } = replyTo(messages);
    const chunks = [
      ...texts.map((content) => new AIMessageChunk({ content })),
      ...(calls.length === 0 ? [] : [new AIMessageChunk({ content: '', tool_call_chunks: calls })]),
    ];
    for (const message of chunks) {
      const chunk = new ChatGenerationChunk({ text: message.text, message });
      yield chunk;
      await runManager?.handleLLMNewToken(message.text, undefined, undefined, undefined, undefined, { chunk });
    }
  }
}

const Trip = z.object({ days: z.number().int().min(1), window: z.boolean().nullable() });

const tripGraph = new StateGraph(MessagesAnnotation)
  .addNode('ask', () => {
    const trip = interrupt({ question: 'How long is the trip?', schema: z.toJSONSchema(Trip) });
    const isBooked = interrupt({ question: `Book ${trip.days} days?`, options: ['yes', 'no'] });
    count('trip', trip, isBooked);
    return {};
  })
  .addEdge('__start__', 'ask')
  .compile({ checkpointer: new MemorySaver() });
const trips = new Set();

const payer = createAgent({
  model: new ScriptedModel({ maxRetries: 0 }),
  tools: [pay],
  middleware: [humanInTheLoopMiddleware({ interruptOn: { pay: true } })],
  checkpointer: new MemorySaver(),
});

// What interrupts the graph is sent as data, and the data of the answer resumes it.
serveTurns(port, async ({ taskId, isFirst, text, data, say }) => {
  const thread = { configurable: { thread_id: taskId } };
  if (text.includes('trip')) trips.add(taskId);
  const graph = trips.has(taskId) ? tripGraph : payer.graph;
  const given = isFirst ? { messages: [{ role: 'user', content: text }] } : new Command({ resume: data[0] });
  for await (const [chunk] of await graph.stream(given, { ...thread, streamMode: 'messages' }))
    if (chunk.type === 'ai' && chunk.text !== '') say(chunk.text);
  const { tasks } = await graph.getState(thread);
  const waiting = tasks.flatMap(({ interrupts }) => interrupts);
  return waiting.map(({ id, value }) => ({ data: waiting.length === 1 ? value : { id, value } }));
});
