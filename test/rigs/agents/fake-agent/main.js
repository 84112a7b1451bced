#!/usr/bin/env node
// A scriptable A2A agent for journeys, its own process: node main.js --dir DIR [--port N]
//
// DIR holds ledger.jsonl (all that arrived, append-only, fsynced), tasks/ and settings.json; it survives kill -9.
// What it says is scripted by the message (script.js); faults and settings are set at /control (control.js).

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runAgentProcess, wholeNumber } from '../../../../examples/agents/agent-process.js';
import { serveAgent } from '../../../../examples/agents/serve-agent.js';
import { controlRouter } from './control.js';
import { createFaults } from './faults.js';
import { arrivals, createLedger } from './ledger.js';
import { createPlay } from './play.js';
import { createGates } from './gates.js';
import { readSettings } from './settings.js';
import { withSettings } from './shy-handler.js';

await runAgentProcess('fake agent', async () => {
  const { values } = parseArgs({ options: { dir: { type: 'string' }, port: { type: 'string', default: '0' } } });
  if (!values.dir) throw new Error('--dir is missing');
  mkdirSync(values.dir, { recursive: true });
  const settings = readSettings(values.dir);
  const ledger = createLedger(join(values.dir, 'ledger.jsonl'));
  const faults = createFaults();
  const gates = createGates();
  const card = {
    name: 'Fake',
    description: 'Does as it is told.',
    version: '1.0.0',
    capabilities: { streaming: settings.current.streaming, pushNotifications: settings.current.push },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'any', name: 'Anything', description: 'Scripted', tags: ['test'] }],
  };
  return serveAgent({
    card,
    play: createPlay({ gates, tasksDir: join(values.dir, 'tasks') }),
    dataDir: values.dir,
    port: wholeNumber(values.port, '--port'),
    versions: [settings.current.protocol],
    before: arrivals({ ledger, faults }),
    control: controlRouter({ faults, gates, settings }),
    wrapHandler: (handler) => withSettings(handler, settings),
  });
});
