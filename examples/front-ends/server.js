// Serves the pages, bundled when it starts. They call Standfast themselves: its `server.cors.origins` must name this server.
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const { STANDFAST_URL = 'http://127.0.0.1:8600', PORT = '8620' } = process.env;
const here = fileURLToPath(new URL('.', import.meta.url));

const { outputFiles } = await build({
  absWorkingDir: here,
  entryPoints: ['page/assistant-ui.jsx', 'page/tanstack-ai.jsx'],
  outdir: 'assets',
  bundle: true,
  splitting: true,
  minify: true,
  write: false,
  format: 'esm',
  jsx: 'automatic',
  // For the form, which is that of the CopilotKit example.
  nodePaths: [join(here, 'node_modules')],
  define: { 'process.env.NODE_ENV': '"production"', STANDFAST_URL: JSON.stringify(STANDFAST_URL.replace(/\/+$/, '')) },
  logLevel: 'error',
});
const pageOf = (name) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${name} with Standfast</title>
    <link rel="icon" href="data:," />
  </head>
  <body>
    <div id="app"></div>
    <script type="module" src="/assets/${name}.js"></script>
  </body>
</html>`;
const files = new Map([
  ...['assistant-ui', 'tanstack-ai'].map((name) => [`/${name}`, ['text/html', pageOf(name)]]),
  ...outputFiles.map(({ path, contents }) => [`/${path.slice(here.length)}`, ['text/javascript', contents]]),
]);

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const [type, content] = files.get(pathname) ?? ['text/plain', undefined];
  response.writeHead(content === undefined ? 404 : 200, { 'content-type': `${type}; charset=utf-8` });
  response.end(content ?? 'open /assistant-ui or /tanstack-ai');
});
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`front ends ready http://127.0.0.1:${server.address().port}/`);
});
