// `npm run bench`: the bare engine and Holdpoint side by side, in one run on one machine; prints Markdown (docs/bench.md).
// `--quick`: a smoke of half a minute. `--write`: puts the tables into docs/bench.md.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
});
const say = (what) => process.stderr.write(`${what}\n`);
const docs = fileURLToPath(new URL('../docs/bench.md', import.meta.url));

/** Between these lines the document is ours. */
const marks = { begin: '<!-- bench:begin -->', end: '<!-- bench:end -->' };

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
const { report } = await import('../bench/report.mjs');
const { watchOthers } = await import('../bench/cpu.mjs');
const { plans } = await import('../bench/plan.mjs');

const startedAt = performance.now();
const seconds = () => (performance.now() - startedAt) / 1000;
const plan = options.quick ? plans.quick : plans.full;
const dataDir = mkdtempSync(join(tmpdir(), 'holdpoint-bench-'));
const parts = await startParts(dataDir);
let isEnding = false;
const end = async () => {
  if (isEnding) return;
  isEnding = true;
  await parts.stop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
};
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void end().finally(() => process.exit(1)));
try {
  const others = watchOthers(parts.pids);
  const figures = await measure(plan, parts, (what) => say(`${seconds().toFixed(0).padStart(4)} s  ${what}`));
  const text = report(figures, { plan: plan.name, seconds: seconds(), othersShare: others() });
  console.log(text);
  if (options.write) write(text);
} finally {
  await end();
}
