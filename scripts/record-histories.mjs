// Plays the stories of test/rigs/engine/histories.ts on a real server and keeps their histories for the replay test:
//   npm run record            all of them (node --import tsx scripts/record-histories.mjs)
//   npm run record -- cancel  those named
// A history once committed stays as it is: it represents the executions that are open at our users. Record a new one
// as well when a story changes; replace one only when no released version can have made it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startCore } from '../test/rigs/engine/engine.ts';
import { recordingOptions, stories } from '../test/rigs/engine/histories.ts';
import { createSupervisor } from '../test/rigs/process/supervisor.ts';

const dir = fileURLToPath(new URL('../test/workflows/histories', import.meta.url));

/** All executions of a chain, first to last. */
async function chainOf(client, task) {
  const histories = [];
  for (let runId = task.firstExecutionRunId; runId;) {
    const history = await client.workflow.getHandle(task.workflowId, runId).fetchHistory();
    histories.push(history);
    const end = history.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes;
    runId = end?.newExecutionRunId;
  }
  return histories;
}

/** Where it was recorded is left out: replay does not read it. */
const withoutPlaces = (key, value) => (key === 'stackTrace' ? '' : key === 'identity' ? 'recorder' : value);

/** A change of one event is then a change of one line. */
const oneEventALine = (history) =>
  `{"events":[\n${history.events.map((event) => JSON.stringify(event, withoutPlaces)).join(',\n')}\n]}\n`;

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in stories));
if (unknown.length > 0)
  throw new Error(`no such story: ${unknown.join(', ')} (there are ${Object.keys(stories).join(', ')})`);

const core = await startCore(createSupervisor(), recordingOptions);
try {
  mkdirSync(dir, { recursive: true });
  for (const [name, play] of Object.entries(stories)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const task = await play(core, core.agent);
    const how = await task.closed();
    const histories = await chainOf(core.engine.client, task);
    for (const [index, history] of histories.entries()) {
      const file = `${name}${index === 0 ? '' : `-${index + 1}`}.json`;
      // As protobuf.js writes it: the SDK's own converter finds two copies of that library in our tree, and fails.
      writeFileSync(join(dir, file), oneEventALine(history));
      console.log(`${file}: ${history.events.length} events, ${how}`);
    }
  }
} finally {
  await core.stop();
}
