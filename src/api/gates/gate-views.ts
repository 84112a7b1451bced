// Gates as operators see them: their tools, and what of these has changed since it was approved.
import type { Gate } from '../../contract/configuration/gate.ts';
import type { GateToolView, GateView } from '../../contract/views/gates.ts';
import { approvedDefinition, definitionDigest } from '../../host/secrets/gate-digests.ts';
import { StandfastError } from '../../core/base/errors.ts';
import { pageUrl } from '../../core/base/page-url.ts';
import type { GateToolRow } from '../../store/ports/gates.ts';
import type { ApiContext } from '../api-context.ts';
import type { GateTools } from './gate-tools.ts';

export function toolView(prover: ApiContext['prover'], row: GateToolRow): GateToolView {
  const { tool: name, listed, listedAt, approvedDigest, listedDigest } = row;
  // What no operator approved is not shown as what the tool was before.
  const approved = approvedDefinition(prover, row);
  const { approvedAt, approvedBy } = approved === null ? { approvedAt: null, approvedBy: null } : row;
  // Of what is shown: who approves it approves that.
  const digest = definitionDigest(listed);
  const state = approved === null ? 'new' : approvedDigest === listedDigest ? 'approved' : 'changed';
  return { name, state, digest, listed, listedAt, approved, approvedAt, approvedBy };
}

const serverOf = ({ url, command = [] }: Gate): string => (url === undefined ? (command[0] ?? '') : new URL(url).host);

export async function gateViews(
  { config, prover, publicUrl, store }: Pick<ApiContext, 'config' | 'prover' | 'publicUrl' | 'store'>,
  tools: GateTools,
): Promise<GateView[]> {
  return Promise.all(
    Object.entries(config.gates).map(async ([name, gate]) => {
      let fault: string | null = null;
      await tools.rows(name, gate).catch((error: unknown) => {
        if (!(error instanceof StandfastError)) throw error;
        fault = error.message;
      });
      const rows = await store.gateTools.of(name);
      const { title = name, policy = null } = gate;
      const address = pageUrl(publicUrl, `/gates/${name}/mcp`);
      const views = rows.map((row) => toolView(prover, row));
      return { name, title, address, server: serverOf(gate), policy, fault, tools: views };
    }),
  );
}
