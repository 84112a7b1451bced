import { openStore } from '../../../src/store/open-store.ts';
import { liveShortly, liveThrough } from './lives.ts';

/** One question after another; the test kills this process. */
async function main(where: string): Promise<void> {
  const store = await openStore(where.includes('://') ? { databaseUrl: where } : { dataDir: where });
  for (;;) {
    await Promise.all([liveThrough(store), liveShortly(store, 'withdrawn')]);
    process.stdout.write('.');
  }
}

void main(process.argv[2] ?? '');
