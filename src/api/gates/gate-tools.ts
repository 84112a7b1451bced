// The tools behind a gate, as an operator approved them (docs/gate.md): one whose description or schema has changed since is held back
// until one approves it, and so is one that came later.
import type { Gate } from '../../contract/configuration/gate.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import { objectsIn } from '../../core/base/json.ts';
import { StandfastError } from '../../core/base/errors.ts';
import type { AnswersForm } from '../../core/turn/server-form.ts';
import { createEgress } from '../../host/net/egress.ts';
import { connectUpstream } from '../../host/net/mcp-upstream.ts';
import { rowMac } from '../../core/base/proved-row.ts';
import { approvedDefinition, definitionDigest, isApproved } from '../../host/secrets/gate-digests.ts';
import { timeLimit } from '../../host/process/time-limit.ts';
import type { GateToolRow } from '../../store/ports/gates.ts';
import type { ApiContext } from '../api-context.ts';

/** How old what is known of a server's tools may be, and of their approvals. */
const listEveryMs = 60_000;
const readEveryMs = 2_000;
const listForMs = 30_000;
const maxTools = 2_000;

/** The definition that was approved, where it is the one that is listed; null: the tool is held back. */
const currentDefinition = (prover: ApiContext['prover'], row: GateToolRow): JsonObject | null =>
  row.approvedDigest === row.listedDigest ? approvedDefinition(prover, row) : null;

export interface GateTools {
  /** Everything the gate ever listed; asks the server where that was long ago. Throws `worker_unavailable`. */
  rows(name: string, gate: Gate): Promise<GateToolRow[]>;
  /** The tools of a list that its client may see; what the server has changed is noted. */
  shown(name: string, gate: Gate, listed: readonly JsonObject[]): Promise<JsonObject[]>;
  /** The tool as it was approved; null: there is none, or it is held back (`held`). */
  tool(name: string, gate: Gate, tool: string): Promise<{ definition: JsonObject; digest: string } | { why: string }>;
}

interface Known {
  gate: Gate;
  listedAtMs: number;
  readAtMs: number;
  rows: GateToolRow[];
}

/** A server may list more to who takes forms, as the gate says of its clients; while it lists it asks none. */
const takesForms: AnswersForm = async () => ({ action: 'cancel' });

export function createGateTools(api: Pick<ApiContext, 'config' | 'store' | 'log' | 'prover'>): GateTools {
  const { store, log, prover } = api;
  const known = new Map<string, Known>();
  const underWay = new Map<string, Promise<Known>>();

  async function note(name: string, gate: Gate, listed: readonly JsonObject[]): Promise<GateToolRow[]> {
    const definitions = listed.slice(0, maxTools).flatMap((definition) => {
      const tool = definition['name'];
      return typeof tool === 'string' ? [{ tool, digest: definitionDigest(definition), definition }] : [];
    });
    const approvalOf = ({ tool, digest }: { tool: string; digest: string }): string =>
      rowMac(prover, 'approved tool', { gate: name, tool, digest, by: null });
    return store.gateTools.list(name, definitions, gate.tools === 'first' ? approvalOf : null);
  }

  async function list(name: string, gate: Gate): Promise<Known> {
    const client = await connectUpstream(gate, createEgress(api.config.egress), takesForms);
    try {
      const all = await note(name, gate, await client.tools(timeLimit(listForMs)));
      const now = performance.now();
      const fresh = { gate, listedAtMs: now, readAtMs: now, rows: all };
      known.set(name, fresh);
      return fresh;
    } finally {
      await client.close();
    }
  }

  function listOnce(name: string, gate: Gate): Promise<Known> {
    const running = underWay.get(name) ?? list(name, gate).finally(() => underWay.delete(name));
    underWay.set(name, running);
    return running;
  }

  async function rows(name: string, gate: Gate): Promise<GateToolRow[]> {
    const before = known.get(name);
    const now = performance.now();
    if (before === undefined || before.gate !== gate) {
      const fresh = await listOnce(name, gate).catch((err: unknown) => {
        log.warn({ err, gate: name }, 'the server of a gate does not list its tools');
        throw new StandfastError('worker_unavailable', `the server of the gate ${name} cannot be reached; try again`);
      });
      return fresh.rows;
    }
    if (now - before.listedAtMs > listEveryMs) {
      before.listedAtMs = now;
      listOnce(name, gate).catch((err: unknown) =>
        log.warn({ err, gate: name }, 'the tools of a gate were not listed'),
      );
    }
    if (now - before.readAtMs > readEveryMs) {
      before.readAtMs = now;
      before.rows = await store.gateTools.of(name);
    }
    return before.rows;
  }

  return {
    rows,
    async shown(name, gate, listed) {
      await rows(name, gate);
      const fresh = await note(name, gate, listed);
      const state = known.get(name);
      if (state !== undefined) Object.assign(state, { rows: fresh, readAtMs: performance.now() });
      const seen = new Set<unknown>();
      return listed.filter((definition) => {
        const tool = definition['name'];
        const row = fresh.find((one) => one.tool === tool);
        const isFirst = !seen.has(tool);
        seen.add(tool);
        return isFirst && row?.approvedDigest === definitionDigest(definition) && isApproved(prover, row);
      });
    },
    async tool(name, gate, tool) {
      const find = (all: GateToolRow[]): GateToolRow | undefined => all.find((one) => one.tool === tool);
      let row = find(await rows(name, gate));
      // It may have been approved, or have come, a moment ago.
      if (row === undefined || currentDefinition(prover, row) === null) row = find(await store.gateTools.of(name));
      if (row === undefined) return { why: `the server of the gate lists no tool ${tool}` };
      const definition = currentDefinition(prover, row);
      if (definition !== null) return { definition, digest: row.listedDigest };
      const what = row.approved === null ? 'is new' : 'has changed since it was approved';
      return { why: `the tool ${tool} ${what}, and is held back until an operator approves it` };
    },
  };
}

/** The answer to `tools/list` with what its client may see. */
export async function shownTools(
  tools: GateTools,
  { name, gate }: { name: string; gate: Gate },
  answer: JsonObject,
): Promise<JsonObject> {
  const { result } = answer;
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return answer;
  return { ...answer, result: { ...result, tools: await tools.shown(name, gate, objectsIn(result['tools'])) } };
}
