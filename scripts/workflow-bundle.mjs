// The workflows' bundle, for Temporal's sandbox: the build and the tests make it by the same call.
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const sources = fileURLToPath(new URL('../src/workflows', import.meta.url));

/** The SDK compiles for ES2017, in which each spread and each class field is a call of a helper; all our Nodes run ES2022. */
function compileForEs2022(config) {
  const rule = config.module.rules.find(({ use }) => use?.options?.jsc?.target !== undefined);
  if (rule === undefined)
    throw new Error('the SDK’s bundler has no target any more: look at scripts/workflow-bundle.mjs');
  rule.use.options.jsc.target = 'es2022';
  return config;
}

/** Returns the code of the bundle, with an inline source map. */
export async function bundleWorkflows() {
  const workflowsPath = join(sources, 'index.ts');
  const { code } = await bundleWorkflowCode({
    logger: new DefaultLogger('WARN'),
    workflowsPath,
    workflowInterceptorModules: ['trace-header', 'query-alone', 'proved-payloads', 'details-query'].map((name) =>
      join(sources, `${name}.ts`),
    ),
    // Shared by all workflows of a process: our modules keep no state (test/workflow-bundle.test.ts), and evaluating them
    // for each workflow takes ten times the memory and the CPU.
    preloadModules: [workflowsPath],
    webpackConfigHook: compileForEs2022,
  });
  return code;
}
