// What is measured, in this order; returns figures only.
import { randomUUID } from 'node:crypto';
import { cpuMs, cpuMsOfThreads, rssMiB } from './cpu.mjs';
import { repeat } from './load.mjs';
import { spread, sum } from './numbers.mjs';
import { readRun, retries } from './sse.mjs';
import { directDelays, fanOutDelays, firstEventDelays, standfastDelays } from './tokens.mjs';

const namesFor = (times) => Array.from({ length: times }, () => randomUUID());
const blockMs = 120_000;

/**
 * @param {import('./plan.mjs').Plan} plan
 * @param {{ floor: import('./child.mjs').Child, floorWithWork: import('./child.mjs').Child, standfast: import('./child.mjs').Child, agent: import('./child.mjs').Child, temporalPid: number, agentUrl: string, runUrl: string }} parts
 * @param {(what: string) => void} say
 */
export async function measure(plan, parts, say) {
  const { floor, floorWithWork, standfast, agentUrl, runUrl } = parts;
  const systems = { floor, floorWithWork, standfast };
  const rss = { started: rssMiB(standfast.pid) };
  const limitMs = plan.blockLimitMs;

  say('warming up');
  for (const system of Object.values(systems)) {
    const bounds = { atOnce: 20, limitMs: blockMs / 2 };
    const { done } = await system.ask('park', { ids: namesFor(plan.warmUp), ...bounds }, blockMs);
    await system.ask('answer', { ids: done, ...bounds }, blockMs);
  }
  await firstEventDelays(runUrl, 3);

  const cycles = [];
  for (const { atOnce, times } of plan.cycles) {
    const blocks = { floor: [], floorWithWork: [], standfast: [] };
    for (let round = 0; round < plan.rounds; round += 1) {
      for (const name of Object.keys(systems)) {
        say(`${name}: ${times} cycles, ${atOnce} at once`);
        blocks[name].push(await cycleBlock(systems[name], parts, { ids: namesFor(times), atOnce, limitMs }));
      }
    }
    const each = Object.fromEntries(Object.entries(blocks).map(([name, list]) => [name, together(list)]));
    // Of one round with that of the same moment: what disturbs the machine falls out.
    const shareOf = (name) => spread(blocks.standfast.map((block, n) => rateOf(block) / rateOf(blocks[name][n])));
    cycles.unshift({ atOnce, ...each, ofFloor: shareOf('floor'), ofWork: shareOf('floorWithWork') });
  }

  rss.warm = rssMiB(standfast.pid);
  const events = {};
  for (const [name, system] of Object.entries(systems)) events[name] = await eventsOfOne(system);

  const http = [];
  for (const { atOnce, times } of plan.http) {
    say(`through the api: ${times} cycles, ${atOnce} at once`);
    http.push({ atOnce, ...(await httpCycles(runUrl, { times, atOnce, limitMs })) });
  }

  const tokens = [];
  for (const load of plan.tokens) {
    say(`tokens: ${load.streams} streams of ${load.perSecond} a second`);
    const direct = await directDelays(agentUrl, load);
    tokens.push({ ...load, direct, standfast: await standfastDelays(runUrl, load) });
  }

  say(`fan-out: ${plan.fanOut.readers} readers of one task`);
  const fanOut = { ...plan.fanOut, delaysMs: await fanOutDelays(runUrl, plan.fanOut) };

  say('first event of a new run, idle');
  const idle = await firstEventDelays(runUrl, plan.firstEvents);
  const resourcesIdle = await standfast.ask('resources');

  say(`parking ${plan.parked}`);
  const bytesBefore = await standfast.ask('bytes');
  const { done } = await standfast.ask(
    'park',
    { ids: namesFor(plan.parked), atOnce: 20, limitMs: 10 * limitMs },
    blockMs,
  );
  const bytes = ((await standfast.ask('bytes')) - bytesBefore) / done.length;
  const resourcesParked = await standfast.ask('resources');
  rss.parked = rssMiB(standfast.pid);

  const { streams, perSecond } = plan.streaming;
  say(`first event of a new run, ${done.length} parked and ${streams} streaming`);
  const loaded = await whileStreaming(runUrl, plan.streaming, () => firstEventDelays(runUrl, plan.firstEvents));

  return {
    cycles,
    events,
    http,
    tokens,
    fanOut,
    rss,
    firstEvent: { idle, loaded, parked: done.length, streams, perSecond },
    /** Calls that were not answered within the api's own deadline (the run happens all the same), and runs posted again. */
    late: (await standfast.ask('unanswered')) + retries(),
    parked: { count: done.length, bytes, resourcesIdle, resourcesParked },
  };
}

/** Parks all, then answers all. */
async function cycleBlock(system, parts, load) {
  const pids = { server: parts.temporalPid, own: system.pid, agent: parts.agent.pid };
  const cpu = () => Object.entries(pids).map(([name, pid]) => /** @type {const} */ ([name, cpuMs(pid)]));
  const before = Object.fromEntries(cpu());
  const threadsBefore = cpuMsOfThreads(system.pid);
  const park = await system.ask('park', load, blockMs);
  const answer = await system.ask('answer', { ...load, ids: park.done, limitMs: 2 * load.limitMs }, blockMs);
  const used = Object.fromEntries(cpu().map(([name, ms]) => [name, ms - before[name]]));
  const threads = Object.entries(cpuMsOfThreads(system.pid)).map(([name, ms]) => [
    name,
    ms - (threadsBefore[name] ?? 0),
  ]);
  return { park, answer, cpu: used, threads: Object.fromEntries(threads) };
}

/** A cycle is one start and one answer; both rates are for phases of their own. */
function rateOf({ park, answer }) {
  return 1 / (park.seconds / park.done.length + answer.seconds / answer.done.length);
}

function together(blocks) {
  const total = (what) => sum(blocks.map((block) => block[what].done.length));
  const rate = (what) => total(what) / sum(blocks.map((block) => block[what].seconds));
  const cpu = (name) => sum(blocks.map((block) => block.cpu[name])) / total('answer');
  return {
    count: total('answer'),
    startsPerSecond: rate('park'),
    answersPerSecond: rate('answer'),
    cyclesPerSecond: 1 / (1 / rate('park') + 1 / rate('answer')),
    rounds: spread(blocks.map(rateOf)),
    parkMs: blocks.flatMap((block) => block.park.latenciesMs),
    answerMs: blocks.flatMap((block) => block.answer.latenciesMs),
    cpuMs: { server: cpu('server'), own: cpu('own'), agent: cpu('agent') },
    threadsMs: threadsOf(blocks, total('answer')),
  };
}

function threadsOf(blocks, cycles) {
  const names = new Set(blocks.flatMap(({ threads }) => Object.keys(threads)));
  return Object.fromEntries(
    [...names].map((name) => [name, sum(blocks.map(({ threads }) => threads[name] ?? 0)) / cycles]),
  );
}

async function eventsOfOne(system) {
  const bounds = { atOnce: 1, limitMs: 5_000 };
  const { done } = await system.ask('park', { ids: namesFor(3), ...bounds });
  await system.ask('answer', { ids: done, ...bounds });
  const lengths = [];
  for (const id of done) lengths.push(await system.ask('events', { id }));
  return Math.max(...lengths);
}

async function httpCycles(runUrl, { times, atOnce, limitMs }) {
  const interrupts = new Map();
  const park = await repeat(namesFor(times), { atOnce, limitMs }, async (threadId) => {
    const startedAt = performance.now();
    const last = await readRun(runUrl, { threadId, runId: 'ask', text: 'ask' });
    interrupts.set(threadId, last.outcome?.interrupts?.[0]?.id);
    return performance.now() - startedAt;
  });
  const answer = await repeat(park.done, { atOnce, limitMs: 2 * limitMs }, async (threadId) => {
    const startedAt = performance.now();
    const resume = [{ interruptId: interrupts.get(threadId), status: 'resolved', payload: { colour: 'green' } }];
    await readRun(runUrl, { threadId, runId: 'answer', resume });
    return performance.now() - startedAt;
  });
  const cycles = answer.done.length / (park.seconds * (answer.done.length / park.done.length) + answer.seconds);
  return { cyclesPerSecond: cycles, parkMs: park.latenciesMs, answerMs: answer.latenciesMs };
}

/** Keeps so many turns streaming while the work goes on; each is begun again until it is no longer needed. */
async function whileStreaming(runUrl, { streams, perSecond }, work) {
  const need = { isOver: false, flowing: 0 };
  const text = `stream ${perSecond * 8} ${perSecond}`;
  let markFlowing;
  const isFlowing = new Promise((resolve) => (markFlowing = resolve));
  const lane = async () => {
    let isCounted = false;
    while (!need.isOver) {
      await readRun(runUrl, { threadId: randomUUID(), runId: randomUUID(), text }, (event) => {
        if (isCounted || event.type !== 'TEXT_MESSAGE_CONTENT') return;
        isCounted = true;
        need.flowing += 1;
        if (need.flowing === streams) markFlowing(undefined);
      });
    }
  };
  const all = Promise.all(Array.from({ length: streams }, lane));
  try {
    await Promise.race([isFlowing, all]);
    return await work();
  } finally {
    need.isOver = true;
    await all;
  }
}
