// Agents, pages and callers of other people's making that the tests run: installed into a cache outside the tree while the
// quick tests run. What cannot be had is left out by name; CI does not accept that.
import { prepareOldSdks } from '../a2a-v03-sdks.mjs';
import { prepareAiSdk, prepareAskingPython, preparePyright } from '../asking-frameworks.mjs';
import { prepareCodingAgents } from '../coding-agents.mjs';
import { prepareFrameworks } from '../framework-agents.mjs';
import { prepareCopilotKit, prepareFrontEnds } from '../front-end-packages.mjs';
import { prepareGoClient, prepareNodeServers, preparePythonServers, prepareSqliteServer } from '../gate-servers.mjs';
import { prepareGenerated } from '../generated-clients.mjs';
import { prepareGoCaller } from '../go-caller.mjs';
import { preparePython } from '../python-agents.mjs';
import { prepareTemporalServer } from '../temporal-server.mjs';
import { prepareTemporalGo, prepareTemporalJava, prepareTemporalPython } from '../temporal-callers.mjs';
import { withAgentsPython } from './python-files.mjs';
import { isCi } from './servers.mjs';

/** Set on purpose, so that nothing counts as skipped. */
export const isWithoutPython = process.env.STANDFAST_SKIP_PY === '1';

/** What is prepared for which files, and the variable that tells them where it is. */
const packages = [
  {
    what: 'Python agents',
    variable: 'STANDFAST_TEST_PYTHON',
    prepare: preparePython,
    files: withAgentsPython,
    python: true,
  },
  {
    what: "CopilotKit's packages",
    variable: 'STANDFAST_TEST_COPILOTKIT',
    prepare: prepareCopilotKit,
    files: /callers\/(copilotkit|a2ui-examples|front-end-transcripts)\.test/,
  },
  {
    what: 'packages of assistant-ui and TanStack AI',
    variable: 'STANDFAST_TEST_FRONT_ENDS',
    prepare: prepareFrontEnds,
    files: /callers\/(front-ends|front-end-transcripts)\.test/,
  },
  {
    what: 'Go callers',
    variable: 'STANDFAST_TEST_GO_CALLER',
    prepare: prepareGoCaller,
    files: /callers\/a2a-sdk-callers\.test/,
  },
  {
    what: 'generated clients',
    variable: 'STANDFAST_TEST_GENERATED',
    prepare: prepareGenerated,
    files: /callers\/generated-clients\.test/,
  },
  {
    what: 'coding agents',
    variable: 'STANDFAST_TEST_CODING_AGENTS',
    prepare: prepareCodingAgents,
    files: /callers\/coding-agents\.test/,
  },
  {
    what: 'Temporal’s full server',
    variable: 'STANDFAST_TEST_TEMPORAL_SERVER',
    prepare: prepareTemporalServer,
    files: /split\/full-server\.test/,
  },
  {
    what: 'SDKs of A2A 0.3',
    variable: 'STANDFAST_TEST_A2A_V03',
    prepare: prepareOldSdks,
    files: /callers\/a2a-sdk-callers\.test/,
    python: true,
    after: 'Python agents',
  },
  {
    what: 'agents of frameworks',
    variable: 'STANDFAST_TEST_FRAMEWORKS',
    prepare: prepareFrameworks,
    files: /(agents\/framework-(agent|bindings|cells|executors|mastra|printed|secured)|pages\/chat-framework)\.test/,
    python: true,
    after: 'Python agents',
  },
  {
    what: 'Python frameworks',
    variable: 'STANDFAST_TEST_ASKING_PYTHON',
    prepare: prepareAskingPython,
    files: /callers\/(asking-(frameworks|printed)|mcp-programs|python-(package|types))\.test/,
    python: true,
  },
  {
    what: 'pyright',
    variable: 'STANDFAST_TEST_PYRIGHT',
    prepare: preparePyright,
    files: /callers\/python-types\.test/,
  },
  {
    what: 'AI SDK',
    variable: 'STANDFAST_TEST_AI_SDK',
    prepare: prepareAiSdk,
    files: /callers\/asking-frameworks\.test/,
  },
  {
    what: 'Temporal for Python',
    variable: 'STANDFAST_TEST_TEMPORAL_PYTHON',
    prepare: prepareTemporalPython,
    files: /temporal\/nexus-languages\.test/,
    python: true,
  },
  {
    what: 'Temporal for Go',
    variable: 'STANDFAST_TEST_TEMPORAL_GO',
    prepare: prepareTemporalGo,
    files: /temporal\/nexus-languages\.test/,
  },
  {
    what: 'Temporal for Java',
    variable: 'STANDFAST_TEST_TEMPORAL_JAVA',
    prepare: prepareTemporalJava,
    files: /temporal\/nexus-languages\.test/,
  },
  {
    what: 'MCP servers of npm',
    variable: 'STANDFAST_TEST_MCP_NODE',
    prepare: prepareNodeServers,
    files: /gates\/(public-servers|tasks)\.test/,
  },
  {
    what: 'MCP servers of PyPI',
    variable: 'STANDFAST_TEST_MCP_PYTHON',
    prepare: preparePythonServers,
    files: /gates\/public-servers\.test/,
    python: true,
  },
  {
    what: 'MCP server of sqlite',
    variable: 'STANDFAST_TEST_MCP_SQLITE',
    prepare: prepareSqliteServer,
    files: /gates\/public-servers\.test/,
    python: true,
    after: 'MCP servers of PyPI',
  },
  {
    what: 'MCP client in Go',
    variable: 'STANDFAST_TEST_MCP_GO',
    prepare: prepareGoClient,
    files: /gates\/public-servers\.test/,
  },
];

/** Whether a test file runs something of these. */
export const needsOthers = (file) => packages.some((one) => one.files.test(file));

async function optional({ what, prepare }) {
  try {
    return await prepare();
  } catch (error) {
    if (isCi) throw error;
    console.log(`${what}: none (${error.message}); the tests that need them are skipped`);
    return null;
  }
}

/** Installs what `files` (paths from the root) need, and resolves to the variables for them. */
export function startOthers(files) {
  const made = new Map();
  const wanted = packages.filter(
    (one) => files.some((file) => one.files.test(file)) && !(one.python && isWithoutPython),
  );
  for (const one of wanted) {
    const before = made.get(one.after) ?? Promise.resolve(undefined);
    made.set(
      one.what,
      before.then((given) => (given === null ? null : optional(one))),
    );
  }
  const variables = Promise.all(made.values()).then((paths) =>
    Object.fromEntries(wanted.map(({ variable }, at) => [variable, paths[at]]).filter(([, path]) => path !== null)),
  );
  // Awaiting it gives the reason of a failure; until then it is not unhandled.
  variables.catch(() => {});
  return variables;
}
