// What the build changes in Temporal's SDK because no option of it does: each with its reason, what it is worth, and the version of
// the SDK that it was written for and measured with. A build with another version fails: read the file again, measure, and
// write the new version here, or take the patch out.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = fileURLToPath(new URL('../node_modules/', import.meta.url));

export const patches = [
  {
    // `dist/workflow-bundle.js` is made by this build (scripts/workflow-bundle.mjs), and the SDK imports its bundler all the same:
    // webpack and file systems of its own. Worth, with the two below it: loading worker and api took 0.75 s of CPU
    // in place of 1.06 (median of five on Node 20, ADR 60).
    file: '@temporalio/worker/lib/workflow/bundler.js',
    version: '1.24.0',
    finds: 'exports.WorkflowCodeBundler = WorkflowCodeBundler;',
    change: () => `exports.defaultWorkflowInterceptorModules = [];
      exports.WorkflowCodeBundler = class { constructor() { throw new Error('dist/workflow-bundle.js is missing: build it'); } };`,
  },
  {
    // The SDK takes the stack of each promise of each replay and maps it to the sources, for a query of Temporal's pages, which
    // src/workflows/details-query.ts answers by other means. Worth: a quarter of the CPU of the thread that runs
    // workflows (profile of a worker, roles apart, 20 cycles at once).
    file: '@temporalio/worker/lib/workflow/vm-shared.js',
    version: '1.24.0',
    finds: 'this.setPromiseHook();',
    change: (code, finds) => code.replace(finds, ''),
  },
  {
    // Bundled, the SDK reads its native library from next to the bundle; the library stays where it is installed. As an `external`
    // package it would load a second copy of `@temporalio/common` and of gRPC. Without it no worker starts.
    file: '@temporalio/core-bridge/common.js',
    version: '1.24.0',
    finds: '__dirname',
    change: (code, finds) =>
      code.replace(finds, `path.dirname(require.resolve('@temporalio/core-bridge/package.json'))`),
  },
];

const packageOf = (file) => file.split('/').slice(0, 2).join('/');
const installedVersionOf = (name) => JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')).version;

/** The code as it is bundled; throws unless the SDK is the one that the patch is for. */
export function patched({ file, version, finds, change }, code, installed) {
  const where = 'see scripts/temporal-patches.mjs';
  if (installed !== version)
    throw new Error(`${packageOf(file)} is ${installed}, and its patch is for ${version}: ${where}`);
  if (code.split(finds).length !== 2) throw new Error(`${file} has not exactly one ${JSON.stringify(finds)}: ${where}`);
  return change(code, finds);
}

/** For esbuild. */
export const temporalPatches = {
  name: 'temporal-patches',
  setup(bundler) {
    const applied = new Set();
    for (const patch of patches) {
      const path = join(modules, patch.file);
      bundler.onLoad({ filter: new RegExp(`/${patch.file.replaceAll('.', String.raw`\.`)}$`) }, () => {
        applied.add(patch.file);
        return { contents: patched(patch, readFileSync(path, 'utf8'), installedVersionOf(packageOf(patch.file))) };
      });
    }
    bundler.onEnd(() => {
      const left = patches.filter(({ file }) => !applied.has(file)).map(({ file }) => file);
      if (left.length > 0)
        throw new Error(`nothing loads ${left.join(', ')} any more: see scripts/temporal-patches.mjs`);
    });
  },
};
