// What replay runs: the bundle may hold only what is deterministic, however deep below our own imports it lies.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { bundleWorkflows } from '../scripts/workflow-bundle.mjs';
import { root } from './source-tree.ts';

/** Everything of node_modules that workflow code may carry; a new line here is a decision about replay. */
const allowed = ['@temporalio/common', '@temporalio/workflow', 'long', 'ms', 'nexus-rpc'];
const ownRooms = ['src/workflows/', 'src/core/', 'src/contract/'];

/** Collections that are never changed. */
const tablesOfConstants = [
  'src/core/policy/lookalikes.ts: const latinOf',
  'src/core/policy/comparison.ts: const ofPrototypes',
  'src/core/questions/agent-dialects.ts: const adkSkills',
  'src/core/questions/schema-words.ts: const readings',
  'src/core/questions/schema-words.ts: const notApplied',
];

let code = '';
let sources: string[] = [];

/** The files a bundle was made of, from the source map it ends with. */
function sourcesOf(bundle: string): string[] {
  const match = /\/\/# sourceMappingURL=data:application\/json;(?:charset=utf-8;)?base64,([A-Za-z0-9+/=]+)\s*$/.exec(
    bundle,
  );
  if (match?.[1] === undefined) throw new Error('the bundle has no inline source map');
  return (JSON.parse(Buffer.from(match[1], 'base64').toString('utf8')) as { sources: string[] }).sources;
}

const packageOf = (source: string): string | undefined => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1];

beforeAll(async () => {
  // Made here by the same call as the build makes it: a dist that is older than the sources would prove nothing.
  code = await bundleWorkflows();
  sources = sourcesOf(code);
});

describe('the workflow bundle', () => {
  test('the workflow bundle holds the workflows', () => {
    expect(sources.filter((source) => source.includes('src/workflows/task.ts'))).toHaveLength(1);
  });

  test('the workflow bundle spreads objects by the engine, not by helpers of a compiler', () => {
    expect(code).not.toMatch(/_object_spread|_define_property|_object_without_properties/);
  });

  // Promise W1
  test('the workflow bundle holds no zod, driver, HTTP client or anything else beyond its list', () => {
    const packages = [...new Set(sources.map(packageOf).filter((name) => name !== undefined))].toSorted();
    expect(packages.filter((name) => !allowed.includes(name))).toEqual([]);
  });

  test('the workflow bundle holds of our own code only the rooms that may be replayed', () => {
    const own = sources.filter((source) => packageOf(source) === undefined && /(^|\/)src\//.test(source));
    expect(own.length).toBeGreaterThan(10);
    expect(own.filter((source) => !ownRooms.some((room) => source.includes(room)))).toEqual([]);
  });

  // All workflows of a process share these modules: state in one would leak from task to task, and would not replay.
  test('the workflow bundle holds no module of our own that keeps state', () => {
    const own = sources.flatMap((source) => {
      const [, path] = /(src\/(?:workflows|core|contract)\/.*\.ts)$/.exec(source) ?? [];
      return path === undefined ? [] : [path];
    });
    const keeping = own.flatMap((path) =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .filter((line) =>
          /^(?:export )?(?:let|var) |^(?:export )?const \w+(?:: [^=]+)? = new (?:Weak)?(?:Map|Set)/.test(line),
        )
        .map((line) => `${path}: ${line}`),
    );
    expect(keeping.filter((line) => !tablesOfConstants.some((table) => line.startsWith(table)))).toEqual([]);
    expect(own.length).toBeGreaterThan(10);
  });
});
