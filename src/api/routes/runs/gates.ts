// `/gates/<name>/mcp`: an MCP server of Standfast's in front of another. Calls of tools are judged by the gate's rules; all else is
// passed on as it is.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Gate } from '../../../contract/configuration/gate.ts';
import type { Principal } from '../../../contract/base/principal.ts';
import { StandfastError } from '../../../core/base/errors.ts';
import { failureOf, isOfHeldTask, readGateMessage, type GateMessage } from '../../../core/policy/gate-message.ts';
import { annotationsOf, isRepeatable, judgeCall } from '../../../core/policy/gate-rules.ts';
import { mayUse } from '../../agents/agent-access.ts';
import type { ApiContext } from '../../api-context.ts';
import type { GateTools } from '../../gates/gate-tools.ts';
import { createPassOn, type PassOn } from '../../gates/pass-on.ts';
import { route } from '../../http/route.ts';
import { serveMcp } from '../../mcp/serve.ts';
import { ownEntry } from '../../../core/base/own-entry.ts';

type GateRequest = FastifyRequest<{ Params: { gate: string } }>;
type Call = Extract<GateMessage, { kind: 'call' }>;

interface Here {
  request: FastifyRequest;
  reply: FastifyReply;
  name: string;
  gate: Gate;
}

function gateOf({ config }: Pick<ApiContext, 'config'>, name: string, principal: Principal): Gate {
  const gate = ownEntry(config.gates, name);
  if (gate === undefined || !mayUse(gate, principal)) throw new StandfastError('not_found', `there is no gate ${name}`);
  return gate;
}

export function gateRoutes(app: FastifyInstance, api: ApiContext, tools: GateTools): void {
  const passOn = createPassOn(api, tools);
  app.addHook('onClose', async () => passOn.close());
  const hereOf = (request: GateRequest, reply: FastifyReply): Here => {
    const name = request.params.gate;
    return { request, reply, name, gate: gateOf(api, name, request.principal) };
  };
  app.post(
    '/gates/:gate/mcp',
    route('caller', 'agents', {
      summary: 'An MCP server behind a gate (streamable HTTP): calls of its tools go through the gate’s rules',
      description: 'JSON-RPC 2.0 as in the Model Context Protocol. A call that people are asked about waits for them.',
    }),
    async (request, reply) => {
      const here = hereOf(request as GateRequest, reply);
      const read = readGateMessage(request.body);
      if (read.kind === 'unfit')
        return reply.code(read.id === null ? 400 : 200).send(failureOf(read.id ?? undefined, read.code, read.why));
      if (read.kind === 'call') return callThrough(api, { tools, passOn }, here, read);
      if (isOfHeldTask(read.message)) return answerOfTask(api, here);
      const lease =
        read.method === 'subscriptions/listen'
          ? api.streams.count(request, reply, 'mcp')
          : api.streams.watch(request, reply);
      return passOn.pass({ ...here, lease }, read.message);
    },
  );
  for (const method of ['GET', 'DELETE'] as const)
    app.route({
      method,
      url: '/gates/:gate/mcp',
      config: { access: 'caller' },
      schema: { hide: true },
      handler: async (request, reply) => {
        const here = hereOf(request as GateRequest, reply);
        const lease = method === 'GET' ? api.streams.count(request, reply, 'mcp') : api.streams.watch(request, reply);
        return passOn.pass({ ...here, lease }, null);
      },
    });
}

/** The gate's own to answer: nothing of a held call's task is at the server. */
async function answerOfTask(api: ApiContext, { request, reply, name }: Here): Promise<FastifyReply> {
  const { principal } = request;
  const lease = api.streams.watch(request, reply);
  const { heldTaskServer } = await import('../../gates/held-task.ts');
  return serveMcp(api, { request, reply, lease }, () => heldTaskServer(api, { name, principal }));
}

async function callThrough(
  api: ApiContext,
  { tools, passOn }: { tools: GateTools; passOn: PassOn },
  here: Here,
  call: Call,
): Promise<FastifyReply> {
  const { request, reply, name, gate } = here;
  const { principal } = request;
  const lease = api.streams.count(request, reply, 'mcp');
  const found = await tools.tool(name, gate, call.name);
  const verdict =
    'why' in found
      ? ({ do: 'refuse', why: found.why } as const)
      : judgeCall(gate, { name: call.name, annotations: annotationsOf(found.definition) }, call.args);
  api.metrics.gateCalls.inc({ gate: name, verdict: verdict.do });
  if (verdict.do === 'pass') {
    const mayRepeat = 'definition' in found && isRepeatable(found.definition);
    return passOn.pass({ ...here, lease, isRepeatable: mayRepeat }, call.message);
  }
  // Its SDK is loaded where a call is held.
  const { heldServer, refusingServer } = await import('../../gates/held-server.ts');
  if ('why' in found) return serveMcp(api, { request, reply, lease }, () => refusingServer(found.why));
  if (verdict.do === 'refuse') return serveMcp(api, { request, reply, lease }, () => refusingServer(verdict.why));
  const held = {
    name,
    gate,
    principal,
    policy: verdict.policy,
    tool: call.name,
    ...found,
    args: call.args,
    givenId: call.givenId,
  };
  return serveMcp(api, { request, reply, lease }, () => heldServer(api, held, lease));
}
