import { openStore } from '../../src/store/open-store.ts';

/** Appends one event after another and says each number once the store has it; the test kills this process. */
async function main(dataDir: string): Promise<void> {
  const store = await openStore({ dataDir });
  const key = { agent: 'expenses', threadId: 't', runId: 'r' };
  const claim = await store.runs.claim(key, { taskId: 'task-1', fence: 1, opener: 'client', fingerprint: 'p' });
  if (claim.result !== 'claimed') throw new Error(claim.result);
  for (let n = 1; ; n += 1) {
    const seq = await store.tx((tables) =>
      tables.log.append(claim.run.logId, 1, [{ type: 'TEXT_MESSAGE_CONTENT', delta: `${n} \0 \ud800` }]),
    );
    process.stdout.write(`${seq}\n`);
  }
}

void main(process.argv[2] ?? '');
