// `npm run bench`: the bare engine and Holdpoint side by side, in one run on one machine; prints Markdown (docs/bench.md).
// `npm run bench -- page`: the pages in a real browser instead.
// `--peers`: beside them what people could take instead. `--quick`: a smoke of a minute (of the pages: three). `--write`: puts
// the tables into docs/bench.md.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
  },
});
const say = (what) => process.stderr.write(`${what}\n`);
const docs = fileURLToPath(new URL('../docs/bench.md', import.meta.url));

const unknown = positionals.filter((one) => one !== 'page');
if (unknown.length > 0) throw new Error(`no such part: ${unknown.join(', ')}; there is page`);
const isPage = positionals.includes('page');

/** Between these lines the document is ours. */
const name = isPage ? 'bench:page' : 'bench';
const marks = { begin: `<!-- ${name}:begin -->`, end: `<!-- ${name}:end -->` };

function write(text) {
  const [before, rest] = readFileSync(docs, 'utf8').split(marks.begin);
  const after = rest?.split(marks.end)[1];
  if (after === undefined) throw new Error(`docs/bench.md has no ${marks.begin} … ${marks.end}`);
  writeFileSync(docs, `${before}${marks.begin}\n\n${text}\n\n${marks.end}${after}`);
}

await build({ say });
// After the build: they import what it makes.
const { startParts } = await import('../bench/parts.mjs');
const { measure } = await import('../bench/measure.mjs');
const { report, surroundingsOf } = await import('../bench/report.mjs');
const { measurePage } = await import('../bench/page.mjs');
const { pageReport } = await import('../bench/page-report.mjs');
const { pagePlans } = await import('../bench/page-plan.mjs');
const { watchOthers } = await import('../bench/cpu.mjs');
const { measurePeers } = await import('../bench/peers.mjs');
const { plans } = await import('../bench/plan.mjs');

const startedAt = performance.now();
const seconds = () => (performance.now() - startedAt) / 1000;
const size = options.quick ? 'quick' : 'full';
const dataDir = mkdtempSync(join(tmpdir(), 'holdpoint-bench-'));
const parts = await startParts(dataDir, { hasFloor: !isPage });
let isEnding = false;
const end = async () => {
  if (isEnding) return;
  isEnding = true;
  await parts.stop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
};
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void end().finally(() => process.exit(1)));
const tell = (what) => say(`${seconds().toFixed(0).padStart(4)} s  ${what}`);

async function engineText() {
  const others = watchOthers(parts.pids);
  const figures = await measure(plans[size], parts, tell);
  const peers = options.peers ? await measurePeers(plans[size], dataDir, tell) : undefined;
  return report({ ...figures, peers }, { plan: size, seconds: seconds(), othersShare: others() });
}

async function pageText() {
  // The browser's processes come and go: who else used the machine is told by its load before anything ran.
  const load = loadavg()[0];
  const figures = await measurePage(pagePlans[size], parts, tell);
  const about = surroundingsOf({ plan: size, seconds: seconds(), othersShare: Number.NaN });
  return `${pageReport(figures)}\n\n${about} Load of the machine before: ${load.toFixed(1)}.`;
}

try {
  const text = isPage ? await pageText() : await engineText();
  console.log(text);
  if (options.write) write(text);
} finally {
  await end();
}
