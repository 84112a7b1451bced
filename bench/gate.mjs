// `npm run bench -- gate`: what a gate adds to a call that it lets pass, against the same call at the server itself, in turns within
// one run; one of so many calls meanwhile is held, approved, and made by Standfast. Whether any is lost or made twice is counted there.
import { setTimeout as delay } from 'node:timers/promises';
import { repeat } from './load.mjs';
import { percentile, show, spread, table } from './numbers.mjs';

const wantedMs = 3;
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const p50 = (values) => percentile(values, 0.5);
const p99 = (values) => percentile(values, 0.99);

async function call(url, tool, args, meta) {
  const params = { name: tool, arguments: args, ...(meta && { _meta: meta }) };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const response = await fetch(url, { method: 'POST', headers, body });
  return response.text();
}

/** Approves what is asked, until all is measured. */
async function approveAll(baseUrl, isOver) {
  while (!isOver()) {
    const { items } = await (await fetch(`${baseUrl}/api/holds?status=open&limit=200`)).json();
    for (const { id } of items)
      await fetch(`${baseUrl}/api/holds/${id}/decision`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ status: 'resolved', values: { approved: true } }),
      });
    await delay(200);
  }
}

/** A held call, made again until its result is there. */
async function heldCall(url, n) {
  for (;;) {
    const text = await call(url, 'pay', { n, hold: 1 }, { 'io.standfast/call': `held-${n}` });
    if (text.includes('"done"')) return;
    await delay(50);
  }
}

/**
 * @param {import('./plan.mjs').GatePlan} plan
 * @param {{ tools: import('./child.mjs').Child, toolsUrl: string, gateUrl: string }} parts
 * @param {(what: string) => void} say
 */
export async function measureGate({ calls, heldEach, rounds, atOnce }, { tools, toolsUrl, gateUrl }, say) {
  const baseUrl = new URL(gateUrl).origin;
  let n = 0;
  const passing = async (url, tool, count, more) => {
    const names = Array.from({ length: count }, () => String((n += 1)));
    const held = [];
    const block = await repeat(names, { atOnce: more }, async (name) => {
      // Next to what is measured, as other clients would.
      if (url === gateUrl && Number(name) % heldEach === 0) held.push(heldCall(url, 1_000_000 + Number(name)));
      const startedAt = performance.now();
      const text = await call(url, tool, { n: Number(name) });
      if (!text.includes('"done"')) throw new Error(`a call did not pass: ${text}`);
      return performance.now() - startedAt;
    });
    await Promise.all(held);
    return { latencies: block.latenciesMs, held: held.length };
  };
  let isOver = false;
  const approving = approveAll(baseUrl, () => isOver);
  say('warming up');
  for (const url of [toolsUrl, gateUrl]) await passing(url, 'look', 300, 4);
  const rows = [];
  for (const tool of ['look', 'pay'])
    for (const many of atOnce) {
      const turns = [];
      for (let round = 0; round < rounds; round += 1) {
        const count = Math.ceil(calls / rounds / atOnce.length / 2);
        say(`${tool}, ${many} at once, round ${round + 1}`);
        const direct = await passing(toolsUrl, tool, count, many);
        turns.push({ direct, gate: await passing(gateUrl, tool, count, many) });
      }
      rows.push({ tool, many, turns });
    }
  isOver = true;
  await approving;
  const counts = new Map(await tools.ask('counts'));
  const made = [...counts.values()];
  const held = rows.flatMap(({ turns }) => turns.map(({ gate }) => gate.held)).reduce((all, one) => all + one, 0);
  return {
    rows,
    held,
    twice: made.filter((times) => times > 1).length,
    lost: n - [...counts.keys()].filter((key) => key <= n).length,
  };
}

const names = { look: 'a call that passes (may be made twice)', pay: 'a call that passes (a connection of its own)' };

/** @param {Awaited<ReturnType<typeof measureGate>>} figures */
export function gateReport({ rows, held, twice, lost }) {
  const text = table(
    [
      'tools behind a gate',
      'calls',
      'at the server p50 / p99',
      'through the gate p50 / p99',
      'added p50, rounds: min – **median** – max',
      'wanted',
      'met',
    ],
    rows.map(({ tool, many, turns }) => {
      const [direct, gate] = ['direct', 'gate'].map((side) => turns.flatMap((turn) => turn[side].latencies));
      const added = spread(turns.map((turn) => p50(turn.gate.latencies) - p50(turn.direct.latencies)));
      return [
        `${names[tool]}, ${many} at once`,
        String(gate.length),
        `${show(p50(direct))} / ${show(p99(direct))} ms`,
        `${show(p50(gate))} / ${show(p99(gate))} ms`,
        `${show(added.min)} – **${show(added.median)}** – ${show(added.max)} ms`,
        // The promise is of one client that waits for its call.
        many === 1 ? `≤ ${wantedMs} ms` : '',
        many === 1 ? (added.median <= wantedMs ? 'yes' : '**no**') : '–',
      ];
    }),
  );
  return `${text}\n\n${held} calls were held meanwhile, approved and made; ${lost} calls were lost, ${twice} made twice.`;
}
