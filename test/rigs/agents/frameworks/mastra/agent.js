// A Mastra agent behind Mastra's own A2A server: a scripted model, a tool that needs approval and one that suspends itself.
import { serve } from '@hono/node-server';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { createTool } from '@mastra/core/tools';
import { LibSQLStore } from '@mastra/libsql';
import { MastraServer } from '@mastra/hono';
import { InMemoryTaskStore } from '@mastra/server/a2a/store';
import { Hono } from 'hono';
import { z } from 'zod';
import { count, model } from './scripted.js';

const { AGENT_STORE = ':memory:' } = process.env;
const port = Number(process.argv[process.argv.indexOf('--port') + 1]);

const pay = createTool({
  id: 'pay',
  description: 'Pays an invoice.',
  inputSchema: z.object({ invoice: z.number(), to: z.string() }),
  requireApproval: true,
  execute: async ({ invoice, to }) => {
    count(invoice, to);
    return `paid ${invoice} to ${to}`;
  },
});

const book = createTool({
  id: 'book',
  description: 'Books a trip once a person has said how.',
  inputSchema: z.object({ city: z.string() }),
  suspendSchema: z.object({ message: z.string(), city: z.string() }),
  resumeSchema: z.object({ days: z.number().int().min(1), seat: z.enum(['window', 'aisle']).nullable() }),
  execute: async ({ city }, { agent }) => {
    const { resumeData, suspend } = agent;
    if (resumeData === undefined) return suspend({ message: 'How long is the trip?', city });
    count('booked', city, resumeData);
    return `booked ${JSON.stringify(resumeData)}`;
  },
});

const payer = new Agent({ id: 'payer', name: 'payer', instructions: 'Pays invoices.', model, tools: { pay, book } });
const mastra = new Mastra({
  agents: { payer },
  storage: new LibSQLStore({ id: 'store', url: AGENT_STORE }),
  logger: false,
});
const app = new Hono();
await new MastraServer({ app, mastra, taskStore: new InMemoryTaskStore() }).init();
serve({ fetch: app.fetch, port, hostname: '127.0.0.1' });
