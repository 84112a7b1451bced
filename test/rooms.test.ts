// The walls of the house: a folder is a permission, so from its path alone a line shows what it may touch.
import { describe, expect, test } from '@jest/globals';
import { circlesOf, filesBelow, importsOf, read, withoutComments, type Import } from './source-tree.ts';

interface Room {
  floor: number;
  /** What it may take from npm and node, names separated by spaces: a package, a path in one, or `node:x`. `*`: all. */
  outside: string[];
  /** Rooms below that it may nevertheless not enter. */
  never?: string[];
}

const rooms: Record<string, Room> = {
  contract: { floor: 0, outside: ['zod'] },
  core: { floor: 1, outside: [] },
  workflows: { floor: 2, outside: ['@temporalio/workflow @temporalio/common'] },
  // re2js is arithmetic on a pattern that an agent sent: a translator may refuse what no checker could run.
  'wire/a2a': { floor: 2, outside: ['@a2a-js/sdk re2js'] },
  // zod: forwardedProps are our own words inside a foreign body, and parsed where the body is.
  'wire/agui': { floor: 2, outside: ['@ag-ui/core @ag-ui/core/schemas @ag-ui/encoder zod fast-json-patch'] },
  store: {
    floor: 2,
    outside: [
      'drizzle-orm drizzle-orm/migrator drizzle-orm/pg-core drizzle-orm/node-postgres drizzle-orm/node-postgres/migrator',
      'drizzle-orm/pglite drizzle-orm/pglite/migrator pg @electric-sql/pglite',
      'node:async_hooks node:crypto node:fs/promises node:path node:timers/promises node:url node:v8 node:zlib',
    ],
  },
  host: {
    floor: 2,
    // The Temporal client: it lends the connection; what is asked over it is the business of api and cli.
    outside: [
      'zod yaml undici ajv/dist/2020.js ajv-formats re2js pino prom-client ipaddr.js node:*',
      '@temporalio/client @temporalio/common @temporalio/common/lib/time.js nodemailer standardwebhooks',
      'luxon date-holidays',
      '@simplewebauthn/server @simplewebauthn/server/helpers',
      '@grpc/grpc-js @modelcontextprotocol/client @modelcontextprotocol/client/stdio',
    ],
  },
  surfaces: { floor: 2, outside: ['@slack/web-api @slack/socket-mode web-push jose node:crypto'] },
  // Reads, judges and explains standfast.yaml.
  config: { floor: 3, outside: ['zod yaml luxon node:*'] },
  activities: {
    floor: 3,
    // zod: an agent card is parsed where it is fetched, before the SDK relies on it.
    outside: [
      '@a2a-js/sdk @a2a-js/sdk/client @a2a-js/sdk/errors @a2a-js/sdk/compat/v0_3/server @temporalio/activity',
      '@a2a-js/sdk/client/grpc @grpc/grpc-js',
      'zod node:crypto',
    ],
  },
  api: {
    floor: 3,
    outside: [
      'fastify @fastify/cookie @fastify/cors @fastify/helmet @fastify/rate-limit @fastify/static',
      '@fastify/swagger @fastify/swagger-ui',
      'fastify-type-provider-zod zod prom-client @temporalio/client @temporalio/common @temporalio/nexus nexus-rpc',
      'jose openid-client',
      '@modelcontextprotocol/server',
      'node:crypto node:fs node:http node:path node:stream node:url node:zlib',
      // A2A over gRPC: its server's side, and the client by which a call is passed on.
      '@a2a-js/sdk/server/grpc @a2a-js/sdk/compat/v0_3/server/grpc @a2a-js/sdk/client @grpc/grpc-js',
      '@a2a-js/sdk @a2a-js/sdk/errors @a2a-js/sdk/server @a2a-js/sdk/server/express @a2a-js/sdk/compat/v0_3 express',
    ],
  },
  cli: { floor: 4, outside: ['*'] },
};

interface Order {
  /** From top to bottom: a sub-room imports from lines below its own, and never from a neighbour on its line. */
  lines: string[];
  /** Files of the room itself that any of its sub-rooms may import; all other files of the room are above them. */
  shared: string[];
}

/** Rooms with sub-rooms. A folder of a room that is not listed here, or a loose file in one that may have none, is refused. */
const subRooms: Record<string, Order> = {
  contract: { lines: ['views', 'tasks', 'acts', 'holds', 'configuration', 'base'], shared: [] },
  core: { lines: ['task turn', 'questions', 'answers', 'acts', 'consent', 'policy', 'agui', 'base'], shared: [] },
  'wire/a2a': {
    lines: [
      'caller',
      'dialects',
      'dialects/*',
      'dialects/forms',
      'dialects/auth',
      'dialects/plain',
      'dialects/base',
      'codec',
    ],
    shared: [],
  },
  'wire/agui': { lines: ['input', 'project', 'engram', 'artifacts', 'cards', 'model'], shared: [] },
  store: {
    lines: [
      'tables/upkeep',
      'tables/runs',
      'tables/tasks',
      'tables/holds',
      'evidence log',
      'feeds',
      'database',
      'ports',
    ],
    shared: [
      'schema',
      'caller-schema',
      'circuit-schema',
      'engram-schema',
      'gate-schema',
      'personal-schema',
      'store',
      'columns',
      'sealed-rows',
      'sealed-columns',
      'unreadable',
    ],
  },
  surfaces: { lines: ['slack teams push', 'base'], shared: [] },
  host: { lines: ['temporal', 'schema net secrets calendar metrics', 'process'], shared: ['ms.d'] },
  activities: {
    lines: ['supervisors', 'turn', 'tasks notices', 'holds', 'watch run-log', 'a2a', 'circuits'],
    shared: ['deps', 'dep-parts', 'timing', 'stuck-note', 'warn-each-minute'],
  },
  api: {
    lines: [
      'routes/holds routes/runs routes/inbox routes/site routes/operate',
      'surfaces',
      'gates',
      'inbox mcp a2a operate engram',
      'ask',
      'runs',
      'acts',
      'holds',
      'tasks',
      'agents',
      'engine auth',
      'http',
    ],
    shared: ['api-context', 'api-deps', 'api-parts'],
  },
  cli: { lines: ['ask', 'answer', 'configure', 'doctor', 'operate', 'run'], shared: [] },
};

/** The two gates between rooms that otherwise never meet, or meet in one file only. */
const gates = { workflows: 'src/workflows/messages.ts', activities: 'src/activities/activities.ts' };
/** Files that may pass on what other files define: the gates, and the entry of the workflow bundle. */
const mayReExport = [gates.workflows, gates.activities, 'src/workflows/index.ts'];

const sources = filesBelow('src', (path) => path.endsWith('.ts'));
const code = sources.filter((path) => !path.endsWith('.d.ts'));
const imports = sources.flatMap(importsOf);

function roomOf(path: string): string {
  const [, first = '', second = ''] = path.split('/');
  return first === 'wire' ? `wire/${second}` : first;
}

const ruleOf = (room: string): Room => {
  const rule = rooms[room];
  if (rule === undefined) throw new Error(`${room} is not a room of the house`);
  return rule;
};

const say = ({ from, specifier, isTypeOnly }: Import): string => `${from} ← ${isTypeOnly ? 'type ' : ''}${specifier}`;

function isListed(list: string[], specifier: string): boolean {
  const names = list.flatMap((line) => line.split(' '));
  return (
    names.includes('*') || names.includes(specifier) || (names.includes('node:*') && specifier.startsWith('node:'))
  );
}

/** Constants of the contract that need no zod: pages, workflows and commands may have their values. */
const isBareNames = (path: string): boolean => /^src\/contract\/.+-names\.ts$/.test(path);

/** Why an import inside the house is not allowed, or null. */
function wallBetween({ from, target, isTypeOnly }: Import): string | null {
  if (target === null) return null;
  const [here, there] = [roomOf(from), roomOf(target)];
  if (here === there) return null;
  if (here === 'workflows' && target === gates.activities)
    return isTypeOnly ? null : 'workflows see activities as types only';
  if (there === 'workflows' && here !== 'cli' && target !== gates.workflows)
    return `${here} sees of workflows only messages.ts`;
  if (ruleOf(there).floor >= ruleOf(here).floor) return `${there} is not below ${here}`;
  if (ruleOf(here).never?.includes(there) === true) return `${here} never enters ${there}`;
  if (there === 'contract' && (here === 'core' || here === 'workflows') && !isTypeOnly && !isBareNames(target))
    return 'zod stays out of replay';
  return null;
}

/** Line of a file in its room, 0 the highest; null: a file of the room itself. */
function lineOf(room: string, path: string): { line: number; folder: string | null } {
  const inside = path.slice(`src/${room}/`.length).split('/').slice(0, -1).join('/');
  const { lines = [], shared = [] } = subRooms[room] ?? {};
  if (inside === '')
    return { line: shared.some((name) => path === `src/${room}/${name}.ts`) ? lines.length : -1, folder: null };
  const lineWith = (name: string): number => lines.findIndex((names) => names.split(' ').includes(name));
  const named = lineWith(inside);
  // `dialects/*`: each of them that no line names.
  return { line: named === -1 ? lineWith(inside.replace(/[^/]+$/, '*')) : named, folder: inside };
}

/** Why an import inside one room is not allowed, or null. */
function wallWithin({ from, target, isTypeOnly }: Import): string | null {
  if (target === null || roomOf(from) !== roomOf(target) || subRooms[roomOf(from)] === undefined) return null;
  const room = roomOf(from);
  const [here, there] = [lineOf(room, from), lineOf(room, target)];
  if (here.folder !== null && here.folder === there.folder) return null;
  // Shared files know the shapes of what they bring together, and nothing that runs.
  if (here.folder === null)
    return here.line === -1 || there.folder === null || isTypeOnly ? null : 'a shared file takes types only';
  return there.line > here.line ? null : `${there.folder ?? 'the room itself'} is not below ${here.folder}`;
}

describe('a room', () => {
  test('a room is one of the house', () => {
    const unknown = sources.filter((path) => rooms[roomOf(path)] === undefined);
    expect(unknown).toEqual([]);
  });

  // Promise H1
  test('a room imports only from floors below, and neighbours never meet', () => {
    const broken = imports.flatMap((one) => {
      const wall = wallBetween(one);
      return wall === null ? [] : [`${say(one)}: ${wall}`];
    });
    expect(broken).toEqual([]);
  });

  test('a room keeps bare names in files of the contract that import none but such files', () => {
    const named = sources.filter(isBareNames);
    expect(named).toContain('src/contract/tasks/task-names.ts');
    const others = imports.filter(({ from, target }) => isBareNames(from) && !(target !== null && isBareNames(target)));
    expect(others.map(say)).toEqual([]);
  });

  test.each([
    ['the ended statuses of tasks', /'DONE',\s+'FAILED',\s+'CANCELED'/, 'src/contract/tasks/task-names.ts'],
    ['the kinds of questions', /'form',\s+'confirmation',/, 'src/contract/base/kind-names.ts'],
    [
      'the end states of agents’ tasks',
      /'completed',\s+'(?:failed|canceled)',/,
      'src/contract/tasks/agent-state-names.ts',
    ],
    [
      'the events of messages',
      /\bescalation: [^}]*\},\s+reassigned:|'reassigned',\s+'reassign-asked'/,
      'src/contract/configuration/notice-names.ts',
    ],
    ['the statuses of questions', /'open',\s+'decided',\s+'cancelled'/, 'src/contract/holds/hold-names.ts'],
    [
      'how questions end',
      /'answered',\s+'declined',\s+'expired',\s+'withdrawn',\s+'superseded'/,
      'src/contract/holds/hold-names.ts',
    ],
    ['a search attribute', /'StandfastOpenHolds'/, 'src/contract/tasks/search-attribute-names.ts'],
    ['the verdict of a schema', /\{ ok: false; unusable: string \}/, 'src/contract/holds/schema-verdict.ts'],
  ])('a room lists %s in one file of the contract', (_what, pattern, path) => {
    const everywhere = [...sources, ...filesBelow('web/src', (file) => /\.tsx?$/.test(file))];
    expect(everywhere.filter((file) => pattern.test(read(file)))).toEqual([path]);
  });

  test('a room has sub-rooms in an order, and imports inside it only run down', () => {
    const unknown = code.filter((path) => {
      const { line, folder } = lineOf(roomOf(path), path);
      return subRooms[roomOf(path)] === undefined ? folder !== null && folder !== '' : folder !== null && line === -1;
    });
    expect(unknown).toEqual([]);
    const broken = imports.flatMap((one) => {
      const wall = wallWithin(one);
      return wall === null ? [] : [`${say(one)}: ${wall}`];
    });
    expect(broken).toEqual([]);
  });

  test('a room has no circle of imports that run, those loaded later included', () => {
    expect(circlesOf(imports.filter(({ isTypeOnly }) => !isTypeOnly))).toEqual([]);
  });

  test('a room has at most 25 files in each of its folders, as the pages and the tests have', () => {
    const others = [
      ...filesBelow('web/src', (path) => /\.(tsx?|css|js)$/.test(path)),
      ...filesBelow('test', (path) => /\.([jt]s|py)$/.test(path)),
    ];
    const written = [...sources, ...others];
    const folders = written.map((path) => path.slice(0, path.lastIndexOf('/')));
    const isFull = (folder: string): boolean => folders.filter((other) => other === folder).length > 25;
    expect([...new Set(folders)].filter(isFull)).toEqual([]);
  });

  test('a room imports nothing from outside src', () => {
    expect(imports.filter(({ target }) => target !== null && !target.startsWith('src/')).map(say)).toEqual([]);
  });

  test('a room writes its relative imports with .ts, as they are', () => {
    expect(imports.filter(({ target }) => target !== null && !target.endsWith('.ts')).map(say)).toEqual([]);
  });

  test.each(Object.keys(rooms))('a room, %s, takes from outside only what is on its list', (room) => {
    const foreign = imports.filter(({ from, target }) => target === null && roomOf(from) === room);
    expect(foreign.filter(({ specifier }) => !isListed(ruleOf(room).outside, specifier)).map(say)).toEqual([]);
  });

  test.each(Object.keys(rooms))('a room, %s, says on less than a page what it does, may and must never', (room) => {
    const text = read(`src/${room}/README.md`);
    expect(text.trim().split('\n').length).toBeLessThanOrEqual(20);
    expect(text).toMatch(/^# .+: .+/);
    expect(text).toMatch(/may import/i);
    expect(text).toMatch(/must never/i);
    expect(text).toMatch(/start reading/i);
  });
});

test('examples reach the server by HTTP and import nothing of it but the verifier of receipts, a file of its own', () => {
  const examples = filesBelow('examples', (path) => /\.(js|ts|mjs)$/.test(path)).flatMap(importsOf);
  const isOwn = (target: string): boolean => /^(examples|packages\/client\/verify)\//.test(target);
  expect(examples.filter(({ target }) => target !== null && !isOwn(target)).map(say)).toEqual([]);
});

test('scripts and benchmarks import what a build makes of src', () => {
  const programs = ['scripts', 'bench'].flatMap((dir) => filesBelow(dir, (path) => path.endsWith('.mjs')));
  const built = programs.flatMap(importsOf).filter(({ target }) => target?.startsWith('dist/'));
  const sourceOf = (target: string): string => target.replace(/^dist/, 'src').replace(/\.js$/, '.ts');
  expect(built.length).toBeGreaterThan(10);
  expect(built.filter(({ target }) => !sources.includes(sourceOf(target ?? ''))).map(say)).toEqual([]);
});

test('scripts take nothing from the tests, but for those that run them, record for them or take pictures', () => {
  const runs = 'away chaos framework-agents python-agents tck test test/servers test/stages'.split(' ');
  const makes =
    'record-histories pictures page-pictures surface-pictures generated-clients gate-servers coding-agents'.split(' ');
  const taking = filesBelow('scripts').filter((path) => /['"`](?:\.\.\/)+test\//.test(read(path)));
  expect(taking).toEqual([...runs, ...makes].map((name) => `scripts/${name}.mjs`).toSorted());
});

// Promise ST7
test('what names a file of the package by its own address lies as deep as the program that is bundled of it', () => {
  const outside = /new URL\('\.\.\/[^']*', import\.meta\.url\)/;
  const naming = sources.filter((path) => outside.test(read(path)));
  expect(naming).toContain('src/store/database/migrate.ts');
  const bundled = 'src/cli/bundle/main.ts'.split('/').length;
  expect(naming.filter((path) => path.split('/').length !== bundled)).toEqual([]);
});

describe('a file', () => {
  const lines = (path: string): number => read(path).trimEnd().split('\n').length;
  const sizes = code.map(lines).toSorted((a, b) => a - b);
  const at = (share: number): number => sizes[Math.min(sizes.length - 1, Math.floor(sizes.length * share))] ?? 0;
  test('a file has at most 450 lines, in the tests too; in src half of them at most 110, and 95 of 100 at most 350', () => {
    const tests = filesBelow('test', (path) => path.endsWith('.ts'));
    expect([...code, ...tests].filter((path) => lines(path) > 450)).toEqual([]);
    expect(at(0.5)).toBeLessThanOrEqual(110);
    expect(at(0.95)).toBeLessThanOrEqual(350);
  });

  test('a file is named by its idea in kebab-case, and never utils, helpers, common, types or misc', () => {
    const name = (path: string): string =>
      path
        .split('/')
        .at(-1)
        ?.replace(/(\.d)?\.ts$/, '') ?? '';
    expect(sources.filter((path) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name(path)))).toEqual([]);
    expect(sources.filter((path) => /^(utils?|helpers?|common|types?|misc)$/.test(name(path)))).toEqual([]);
    expect(sources.filter((path) => /\/(utils?|helpers?|common|types?|misc)\//.test(path))).toEqual([]);
  });

  test('a file has no default export, and passes nothing on unless it is a gate', () => {
    const text = (path: string): string => withoutComments(read(path));
    expect(code.filter((path) => /^export default\b/m.test(text(path)))).toEqual([]);
    const passing = code.filter((path) => /^export\s+(type\s+)?(\*|\{[^}]*\}\s*from\s*['"]\.)/m.test(text(path)));
    expect(passing.filter((path) => !mayReExport.includes(path))).toEqual([]);
  });
});

describe('there are no exceptions:', () => {
  const everywhere = [
    ...sources,
    ...['test', 'examples', 'scripts'].flatMap((dir) => filesBelow(dir, (path) => /\.([cm]?js|ts)$/.test(path))),
  ];
  // Written in pieces, so that this file does not find itself.
  const waivers = [
    ['eslint', 'disable'],
    ['oxlint', 'disable'],
    ['@ts', 'ignore'],
    ['@ts', 'expect-error'],
    ['@ts', 'nocheck'],
  ];
  const found = (pattern: RegExp): string[] =>
    everywhere.flatMap((path) =>
      read(path)
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
    );

  test('no comment switches the linter or the compiler off', () => {
    expect(found(new RegExp(waivers.map((pieces) => pieces.join('-')).join('|')))).toEqual([]);
  });

  test('nothing is cast to any', () => {
    const casts = found(/\b(as) any\b|<(any)>/);
    expect(casts.filter((line) => line.split(':', 1)[0]?.endsWith('.ts'))).toEqual([]);
  });

  test('nothing is left for later in a comment', () => {
    expect(found(/\b(TO(DO)|FIX(ME)|X(XX))\b/)).toEqual([]);
  });
});

describe('one word has one meaning:', () => {
  /*
   * "Interrupt" is AG-UI's word and api's when it speaks AG-UI; inside it is a hold. What the outside was promised keeps
   * its spelling wherever it is carried: `interruptId` (a hold's public name), the codes `interrupt_…`, and the
   * literal 'interrupt' (how a run ends). These are taken out first; what is left is somebody using the word for a hold,
   * or for something else altogether.
   */
  const promised = [
    /\w*interruptIds?(Of)?\b/gi,
    /\binterrupt ids?\b/gi,
    /\binterrupts?_[a-z_]+/g,
    /'interrupt'/g,
    /\bby_?interrupt\b|_by_interrupt\b/gi,
  ];
  const left = (path: string, patterns: RegExp[], word: RegExp): string[] =>
    read(path)
      .split('\n')
      .flatMap((line, index) => {
        const rest = patterns.reduce((text, pattern) => text.replaceAll(pattern, ''), line);
        return word.test(rest) ? [`${path}:${index + 1} ${line.trim()}`] : [];
      });

  /** Where frameworks are read, some of which call by this word what an agent's code waits at. */
  const agentsWord = /a2a\/dialects\/|codec\/langgraph-server|a2a\/langgraph-server/;

  test('"interrupt" is used only where AG-UI is spoken', () => {
    const speakers = ['wire/agui', 'api', 'contract'];
    const others = sources.filter((path) => !speakers.includes(roomOf(path)) && !agentsWord.test(path));
    expect(others.flatMap((path) => left(path, promised, /interrupt/i))).toEqual([]);
  });

  test('"input-required" is used only where A2A or MCP is spoken; elsewhere only the neutral state’s own literal', () => {
    const others = sources.filter(
      (path) => !['wire/a2a', 'contract'].includes(roomOf(path)) && !/^src\/api\/(mcp|gates)\//.test(path),
    );
    expect(
      others.flatMap((path) => left(path, [/'input-required'/g, /'input_required'/g], /input.?required/i)),
    ).toEqual([]);
  });
});
