// MCP servers of other people's making that tests put behind gates, and clients of them in Python and Go, installed once for
// each version outside the tree; by hand: eval "$(node scripts/gate-servers.mjs)" for a run of jest alone.
import { fileURLToPath } from 'node:url';
import { buildGo } from './go-caller.mjs';
import { exportIfMain } from './made-once.mjs';
import { installNode } from './node-packages.mjs';
import { installPython } from './python-agents.mjs';

const pathOf = (path) => fileURLToPath(new URL(`../test/rigs/gates/servers/${path}`, import.meta.url));

/** The directory that holds `node_modules` with the servers of npm. Throws when there can be none. */
export const prepareNodeServers = ({ say = console.log } = {}) =>
  installNode({ folder: pathOf('.'), name: 'mcp-servers', what: 'MCP servers of npm', say });

const prepare = (file, what, say) => installPython({ requirements: pathOf(file), name: 'venv', what, say });

/** Path of the Python with the servers of PyPI and the client. Throws when there can be none. */
export const preparePythonServers = ({ say = console.log } = {}) =>
  prepare('requirements.txt', 'MCP servers of PyPI', say);

/** Path of the Python with the sqlite server. Throws when there can be none. */
export const prepareSqliteServer = ({ say = console.log } = {}) => prepare('sqlite.txt', 'MCP server of sqlite', say);

/** Path of the client on mcp-go. Throws where there is no Go. */
export const prepareGoClient = ({ say = console.log } = {}) =>
  buildGo({ folder: 'test/rigs/gates/go', name: 'client', what: 'MCP client in Go', say });

await exportIfMain(import.meta.url, {
  STANDFAST_TEST_MCP_NODE: prepareNodeServers,
  STANDFAST_TEST_MCP_PYTHON: preparePythonServers,
  STANDFAST_TEST_MCP_SQLITE: prepareSqliteServer,
  STANDFAST_TEST_MCP_GO: prepareGoClient,
});
