#!/usr/bin/env node
// An agent that needs a permission from elsewhere: node main.js [--port 8703] [--data-dir .standfast/mailbox-agent]
// The page of the "mail provider" is played by the agent's own address /control/allow/<task id>.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runAgentProcess, wholeNumber } from '../agent-process.js';
import { serveAgent } from '../serve-agent.js';
import { createMailboxPlay } from './mailbox-agent.js';

const card = {
  name: 'Mailbox',
  description: 'Summarises a mailbox once it may read it.',
  version: '1.0.0',
  capabilities: { streaming: true, pushNotifications: false },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'read', name: 'Read', description: 'Reads new mail.', tags: ['mail', 'authorisation'] }],
};

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8703' },
    'data-dir': { type: 'string', default: '.standfast/mailbox-agent' },
    'stop-with-parent': { type: 'boolean', default: false },
  },
});

await runAgentProcess(
  'mailbox agent',
  async () => {
    const grants = join(values['data-dir'], 'grants');
    mkdirSync(grants, { recursive: true });
    // Task ids of the SDK are UUIDs; nothing else names a file here.
    const fileOf = (taskId) => join(grants, taskId.replace(/[^0-9a-f-]/gi, '_'));
    let url = '';
    const agent = await serveAgent({
      card,
      dataDir: values['data-dir'],
      port: wholeNumber(values.port, '--port'),
      play: createMailboxPlay({
        grantUrl: (taskId) => `${url}/control/allow/${taskId}`,
        isGranted: (taskId) => existsSync(fileOf(taskId)),
      }),
      control: (request, response) => {
        const taskId = /^\/allow\/([^/]+)$/.exec(request.path)?.[1];
        if (taskId === undefined) return void response.status(404).end();
        writeFileSync(fileOf(taskId), new Date().toISOString());
        return void response.type('text/plain').send('Access to the mailbox is granted. You may close this page.\n');
      },
    });
    url = agent.url;
    return agent;
  },
  { stopWithParent: values['stop-with-parent'] },
);
