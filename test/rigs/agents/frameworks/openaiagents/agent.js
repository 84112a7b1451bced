// An agent on the OpenAI Agents SDK for JavaScript behind the A2A SDK: a scripted model, and a tool that needs approval, which is
// asked by a form for each call.
import { Agent, run, setTracingDisabled, tool } from '@openai/agents';
import { z } from 'zod';
import { serveTurns } from './a2a-executor.js';
import { count, model } from './scripted.js';

const port = Number(process.argv[process.argv.indexOf('--port') + 1]);
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

const agent = new Agent({ name: 'payer', instructions: 'Pays invoices.', model, tools: [pay] });
/** What waits for approval, by task; of a program that is to outlive its process `state.toString()` belongs in a database. */
const waiting = new Map();

const callOf = ({ name, rawItem }) => ({
  data: { type: 'tool-call', id: rawItem.callId, name, arguments: JSON.parse(rawItem.arguments) },
});
const formOf = ({ rawItem }) => ({
  data: {
    type: 'a2a.hitl.form',
    formId: rawItem.callId,
    toolCallId: rawItem.callId,
    title: `Pay invoice ${JSON.parse(rawItem.arguments).invoice}?`,
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
