// The example as one server: CopilotKit's runtime under /api/copilotkit, and the page, bundled when it starts.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CopilotRuntime } from '@copilotkit/runtime/v2';
import { createCopilotNodeListener } from '@copilotkit/runtime/v2/node';
import { build } from 'esbuild';
import { agentsOf, StandfastRunner } from './standfast-agents.js';

const { STANDFAST_URL = 'http://127.0.0.1:8600', STANDFAST_API_KEY, PORT = '8610' } = process.env;
/** The key stays on this server: the browser talks to the runtime alone. */
const headers = STANDFAST_API_KEY === undefined ? {} : { authorization: `Bearer ${STANDFAST_API_KEY}` };
const standfast = { url: STANDFAST_URL.replace(/\/+$/, ''), headers };
const here = fileURLToPath(new URL('.', import.meta.url));
const types = { css: 'text/css', html: 'text/html', js: 'text/javascript' };

async function bundlePage() {
  const { outputFiles } = await build({
    absWorkingDir: here,
    entryPoints: ['page/main.jsx'],
    outdir: 'assets',
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    loader: { '.woff': 'dataurl', '.woff2': 'dataurl', '.ttf': 'dataurl' },
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  const files = outputFiles.map(({ path, contents }) => [
    `/${path.slice(here.length).replaceAll('\\', '/')}`,
    contents,
  ]);
  return new Map([['/', await readFile(join(here, 'page/index.html'))], ...files]);
}

const page = await bundlePage();
const runtime = new CopilotRuntime({ agents: () => agentsOf(standfast), runner: new StandfastRunner(standfast) });
const askRuntime = createCopilotNodeListener({ runtime, basePath: '/api/copilotkit' });

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname.startsWith('/api/copilotkit')) {
    void askRuntime(request, response);
    return;
  }
  const content = page.get(pathname);
  const type = types[pathname === '/' ? 'html' : (pathname.split('.').at(-1) ?? '')] ?? 'application/octet-stream';
  response.writeHead(content === undefined ? 404 : 200, { 'content-type': `${type}; charset=utf-8` });
  response.end(content ?? 'not found');
});
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`copilotkit example ready http://127.0.0.1:${server.address().port}/`);
});
