// Temporal's full server and the tool that makes its tables, built by Go once for each version, for a test and a benchmark. By hand:
// STANDFAST_TEST_TEMPORAL_SERVER="$(node scripts/temporal-server.mjs)" for a run of jest alone.
import { madeOnce, printIfMain, runToEnd } from './made-once.mjs';

/** That of the CLI which `standfast up` starts, and of docker-compose.yml. */
const serverVersion = '1.29.1';

/** The directory of both, `server` and `sql`; throws where there is no Go. */
export const prepareTemporalServer = ({ say = console.log } = {}) =>
  madeOnce({ name: 'temporal-server', key: [serverVersion], what: 'Temporal’s server', say }, async (draft) => {
    for (const command of ['tools/sql', 'server']) {
      const source = `go.temporal.io/server/cmd/${command}@v${serverVersion}`;
      // Minutes of all cores, next to tests that wait for facts.
      await runToEnd('nice', ['-n', '19', 'go', 'install', source], { env: { ...process.env, GOBIN: draft } });
    }
  });

await printIfMain(import.meta.url, prepareTemporalServer);
