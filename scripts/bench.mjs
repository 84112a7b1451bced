// `npm run bench`: the bare engine and Standfast side by side, in one run on one machine; prints Markdown (bench/results).
// `npm run bench -- page`: the pages in a real browser instead; `-- memory`: what each process takes; `-- checks`: what the
// checks of trust cost; `-- unasked`: what an event of an agent that never asks is delayed by; `-- scale`: many parked tasks,
// roles apart: `--parked 10000 --step 1000 --apis 2 --workers 3 --storm 2000 --within 60` (minutes), `--kept DIR` to go on in a later
// run, `--temporal sqlite` without building the server, `--cache 2000` for another workflow cache,
// `-- cycle`: CPU of a cycle, roles apart, with the floor on the same PostgreSQL;
// `-- fair`: the same with the whole product without trust around it, and with that on DBOS (four minutes);
// `-- gate --calls 10000`: what a gate adds to a call that it lets pass, with one of a hundred held;
// `-- storm`: 2,000 deadlines within a minute, what is shown of them meanwhile, and CPU an expiry (`--parked 10000 --kept DIR`);
// `-- streams --readers 5000`: many readers on one api; `-- overload --seconds 600`: four times the starts that one worker can take.
// `--only stormOfDeadlines` for one of the events alone.
// It runs under the Node that ships (bench/shipped-node.mjs); `--node own` under the one that it was called with.
// `--peers`: in addition what people could take instead. `--quick`: a smoke of a minute (of the pages: three). `--write`: puts
// the tables into bench/results and their summary into docs/bench.md (`-- summary`: that alone). `--rounds 3`: of five; `--minutes 4`: of the ten in which the page's heap is watched.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { againUnderShipped, isShipped } from '../bench/shipped-node.mjs';
import { summaryOf } from '../bench/summary.mjs';
import { build } from './build.mjs';

const scaleOptions = [
  'parked',
  'step',
  'apis',
  'workers',
  'storm',
  'within',
  'kept',
  'temporal',
  'cache',
  'only',
  'readers',
  'seconds',
  'calls',
];
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    node: { type: 'string', default: 'shipped' },
    rounds: { type: 'string' },
    minutes: { type: 'string' },
    ...Object.fromEntries(scaleOptions.map((name) => [name, { type: 'string' }])),
  },
});
const say = (what) => process.stderr.write(`${what}\n`);
const docs = fileURLToPath(new URL('../docs/bench.md', import.meta.url));

const lanes = [
  'engine',
  'page',
  'memory',
  'scale',
  'checks',
  'unasked',
  'gate',
  'streams',
  'overload',
  'cycle',
  'fair',
  'storm',
  'summary',
];
const [lane = 'engine', ...more] = positionals;
if (!lanes.includes(lane) || more.length > 0) throw new Error(`one of: ${lanes.join(', ')}`);

/** A count given by hand in place of the plan's. */
function given(option, otherwise, most = 999) {
  const text = options[option];
  if (text === undefined) return otherwise;
  const value = /^[1-9]\d*$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= most)) throw new Error(`--${option}: expected a number from 1 to ${most}`);
  return value;
}

function chosen(option, names) {
  const name = options[option];
  if (name !== undefined && !names.includes(name)) throw new Error(`--${option}: one of ${names.join(', ')}`);
  return name;
}

const results = fileURLToPath(new URL('../bench/results/', import.meta.url));

/** The text between the two lines of this name, exchanged. */
function exchanged(path, name, text) {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
  const [before, rest] = readFileSync(path, 'utf8').split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${path} has no ${begin} … ${end}`);
  writeFileSync(path, `${before}${begin}\n\n${text}\n\n${end}${after}`);
}

/** The tables of docs/bench.md, from all that was measured so far. */
function summarise() {
  const files = readdirSync(results).toSorted();
  const read = files.map((file) => ({
    lane: file.replace('.md', ''),
    text: readFileSync(join(results, file), 'utf8'),
  }));
  for (const [name, text] of Object.entries(summaryOf(read))) exchanged(docs, `bench:${name}`, text);
  execFileSync('npx', ['oxfmt', docs, results]);
}

function write(text) {
  exchanged(join(results, `${lane}.md`), ['bench', options.only].filter(Boolean).join(':'), text);
  summarise();
}

if (lane === 'summary') {
  summarise();
  process.exit();
}
if (options.node === 'shipped' && !isShipped()) await againUnderShipped(say);
await build({ say });
// After the build: they import what it makes.
const { startParts } = await import('../bench/parts.mjs');
const { measure } = await import('../bench/measure.mjs');
const { report, surroundingsOf } = await import('../bench/report.mjs');
const { measureMemory, memoryReport } = await import('../bench/memory.mjs');
const { gateReport, measureGate } = await import('../bench/gate.mjs');
const { measureUnasked, unaskedReport } = await import('../bench/unasked.mjs');
const { measurePage } = await import('../bench/page.mjs');
const { pageReport } = await import('../bench/page-report.mjs');
const { pagePlans } = await import('../bench/page-plan.mjs');
const { watchOthers } = await import('../bench/cpu.mjs');
const { measurePeers } = await import('../bench/peers.mjs');
const { eventNames, measureScale } = await import('../bench/scale/measure.mjs');
const { scaleReport, stormReport } = await import('../bench/scale/report.mjs');
const { measureOverload, overloadReport } = await import('../bench/scale/overload.mjs');
const { measureStreams, streamsReport } = await import('../bench/scale/streams.mjs');
const { cycleReport, measureCycle } = await import('../bench/scale/cycle.mjs');
const { fairReport, measureFair } = await import('../bench/fair/measure.mjs');
const { checksReport, measureChecks } = await import('../bench/checks.mjs');
const { checksPlans, cyclePlans, fairPlans, gatePlans, memoryPlans, plans, scalePlans, stormPlans, unaskedPlans } =
  await import('../bench/plan.mjs');

const startedAt = performance.now();
const seconds = () => (performance.now() - startedAt) / 1000;
const size = options.quick ? 'quick' : 'full';
let end = async () => {};
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void end().finally(() => process.exit(1)));

/** A directory and the parts under measure, until the end. */
async function startAll(wanted) {
  const dataDir = mkdtempSync(join(tmpdir(), 'standfast-bench-'));
  const parts = await startParts(dataDir, wanted);
  end = async () => {
    end = async () => {};
    await parts.stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
  return { dataDir, parts };
}

const progress = (what) => say(`${seconds().toFixed(0).padStart(4)} s  ${what}`);

async function engineText() {
  const { dataDir, parts } = await startAll();
  const plan = { ...plans[size], rounds: given('rounds', plans[size].rounds) };
  const others = watchOthers(parts.pids);
  const figures = await measure(plan, parts, progress);
  const peers = options.peers ? await measurePeers(plan, dataDir, progress) : undefined;
  return report({ ...figures, peers }, { plan: size, seconds: seconds(), othersShare: others() });
}

/** The load of the machine before anything ran: the bench's processes come and go, so others cannot be distinguished from them. */
const withSurroundings = (text, load) => {
  const about = surroundingsOf({ plan: size, seconds: seconds(), othersShare: Number.NaN });
  return `${text}\n\n${about} Load of the machine before: ${load.toFixed(1)}.`;
};

async function pageText(load = loadavg()[0]) {
  const { parts } = await startAll({ hasFloor: false });
  const plan = { ...pagePlans[size], longMinutes: given('minutes', pagePlans[size].longMinutes) };
  return withSurroundings(pageReport(await measurePage(plan, parts, progress)), load);
}

async function memoryText(load = loadavg()[0]) {
  return withSurroundings(memoryReport(await measureMemory(memoryPlans[size], progress)), load);
}

async function checksText(load = loadavg()[0]) {
  const dirs = ['once', 'repeated'].map((which) => mkdtempSync(join(tmpdir(), `standfast-bench-${which}-`)));
  const [once, repeated] = [
    await startParts(dirs[0], { hasFloor: false }),
    await startParts(dirs[1], { hasFloor: false, repeatsChecks: true }),
  ];
  end = async () => {
    end = async () => {};
    await Promise.all([once.stop(), repeated.stop()]);
    for (const dir of dirs) rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  };
  return withSurroundings(
    checksReport(
      await measureChecks(
        { ...checksPlans[size], rounds: given('rounds', checksPlans[size].rounds) },
        { once, repeated },
        progress,
      ),
    ),
    load,
  );
}

async function unaskedText(load = loadavg()[0]) {
  const { parts } = await startAll({ hasFloor: false });
  const plan = { ...unaskedPlans[size], rounds: given('rounds', unaskedPlans[size].rounds) };
  return withSurroundings(unaskedReport(await measureUnasked(plan, parts, progress)), load);
}

async function gateText(load = loadavg()[0]) {
  const { parts } = await startAll({ hasFloor: false, hasTools: true });
  const calls = given('calls', gatePlans[size].calls, 1_000_000);
  const plan = { ...gatePlans[size], calls, rounds: given('rounds', gatePlans[size].rounds) };
  return withSurroundings(gateReport(await measureGate(plan, parts, progress)), load);
}

async function scaleText(otherwise = scalePlans[size], textOf = scaleReport, load = loadavg()[0]) {
  const plan = {
    parked: given('parked', otherwise.parked, 1_000_000),
    step: given('step', otherwise.step, 100_000),
    storm: given('storm', otherwise.storm, 100_000),
    apis: given('apis', otherwise.apis),
    workers: given('workers', otherwise.workers),
    minutes: given('within', otherwise.minutes, 100_000),
    temporal: options.temporal ?? otherwise.temporal,
    only: chosen('only', eventNames) ?? otherwise.only,
    ...(options.cache !== undefined && { workflowCache: given('cache', 0, 100_000) }),
  };
  const dir = options.kept ?? mkdtempSync(join(tmpdir(), 'standfast-scale-'));
  try {
    const state = await measureScale(plan, dir, progress);
    if (!state.isWhole && options.kept) say(`not all is measured: the same again with --kept ${dir} goes on`);
    return withSurroundings(textOf(state), load);
  } finally {
    if (options.kept === undefined) rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A run with an installation of its own, in a directory that goes with it. */
async function apartText(measureIt, textOf, plan, load = loadavg()[0]) {
  const dir = mkdtempSync(join(tmpdir(), `standfast-${lane}-`));
  try {
    return withSurroundings(textOf(await measureIt({ temporal: options.temporal, ...plan }, dir, progress)), load);
  } finally {
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

const streamsText = () =>
  apartText(measureStreams, streamsReport, { readers: given('readers', options.quick ? 500 : 5_000, 15_000) });
const overloadText = () =>
  apartText(measureOverload, overloadReport, { seconds: given('seconds', options.quick ? 30 : 600, 100_000) });
const cycleText = () =>
  apartText(measureCycle, cycleReport, { ...cyclePlans[size], rounds: given('rounds', cyclePlans[size].rounds) });

const fairText = () =>
  apartText(measureFair, fairReport, { ...fairPlans[size], rounds: given('rounds', fairPlans[size].rounds) });
const stormText = () => scaleText(stormPlans[size], stormReport);

const texts = {
  engine: engineText,
  page: pageText,
  memory: memoryText,
  scale: () => scaleText(),
  checks: checksText,
  unasked: unaskedText,
  gate: gateText,
  streams: streamsText,
  overload: overloadText,
  cycle: cycleText,
  fair: fairText,
  storm: stormText,
};
try {
  const text = await texts[lane]();
  console.log(text);
  if (options.write) write(text);
} finally {
  await end();
}
