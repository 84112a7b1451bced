import { z } from 'zod';
import { ApproveToolSchema, GateViewSchema } from '../../../contract/views/gates.ts';
import { StandfastError } from '../../../core/base/errors.ts';
import { rowMac } from '../../../core/base/proved-row.ts';
import type { ApiContext } from '../../api-context.ts';
import type { GateTools } from '../../gates/gate-tools.ts';
import { gateViews } from '../../gates/gate-views.ts';
import { route, type ApiApp } from '../../http/route.ts';

export function gateOperationRoutes(
  app: ApiApp,
  api: Pick<ApiContext, 'config' | 'log' | 'prover' | 'publicUrl' | 'store'>,
  tools: GateTools,
): void {
  app.get(
    '/api/gates',
    route('operator', 'operation', {
      summary: 'The gates with the tools of their servers, as they were approved and as they are listed now',
      response: { 200: z.object({ items: z.array(GateViewSchema) }) },
    }),
    async () => ({ items: await gateViews(api, tools) }),
  );

  app.post(
    '/api/gates/:gate/approve',
    route('operator', 'operation', {
      summary: 'Approve a tool of a gate as its server lists it; 409 where it has changed since it was shown',
      params: z.object({ gate: z.string() }),
      body: ApproveToolSchema,
      response: { 200: z.object({ approved: z.literal(true) }) },
    }),
    async ({ params: { gate }, body: { tool, digest }, principal }) => {
      if (!Object.hasOwn(api.config.gates, gate)) throw new StandfastError('not_found', `there is no gate ${gate}`);
      const { id: by } = principal;
      const mac = rowMac(api.prover, 'approved tool', { gate, tool, digest, by });
      const row = await api.store.gateTools.approve(gate, tool, digest, { by, mac });
      if (row === null)
        throw new StandfastError(
          'run_conflict',
          `the tool ${tool} of ${gate} is not listed as it was shown: look again`,
        );
      api.log.info({ gate, tool, digest, by }, 'a tool of a gate was approved');
      return { approved: true as const };
    },
  );
}
