// `gates` and `gate-approve`: what servers behind gates list, what of it has changed, and its approval.
import type { Command } from 'commander';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import type { GateToolView, GateView } from '../../contract/views/gates.ts';
import { toolChanges } from '../../core/policy/tool-changes.ts';
import { visibleText } from '../../core/consent/gate.ts';
import { CommandError } from './command-error.ts';
import { common, examples, groups, print } from './command-parts.ts';
import { createOperatorClient, type OperatorClient, type OperatorOptions } from './operator-client.ts';
import type { Terminal } from './terminal.ts';

const readAll = async (client: OperatorClient): Promise<GateView[]> =>
  (await client.get<{ items: GateView[] }>('/api/gates')).items;

const digestChars = 12;
const shortOf = ({ digest }: GateToolView): string => digest.replace(/^sha256:/, '').slice(0, digestChars);
const shown = (value: Json): string => visibleText(JSON.stringify(value));

function changesText({ approved, listed }: GateToolView): string[] {
  // Safe: both came as JSON.
  const changes = toolChanges((approved ?? {}) as JsonObject, listed as JsonObject);
  return changes.flatMap(({ path, before, after }) => [
    `    ${path}`,
    ...(before === undefined ? [] : [`    - ${shown(before)}`]),
    ...(after === undefined ? [] : [`    + ${shown(after)}`]),
  ]);
}

function gateText({ name, title, address, server, fault, tools }: GateView): string {
  const held = tools.filter(({ state }) => state !== 'approved');
  const lines = held.flatMap((tool) => [
    `  ${tool.name}: ${tool.state}, held back (${shortOf(tool)})`,
    ...changesText(tool),
  ]);
  const count = `${tools.length - held.length} of ${tools.length} tools are approved`;
  const head = `${name}${title === name ? '' : ` (${title})`}: ${address}, before ${server}; ${count}`;
  return [head, ...(fault === null ? [] : [`  ${fault}`]), ...lines].join('\n');
}

export function addGateCommands(program: Command, terminal: Terminal): void {
  examples(
    common(
      program
        .command('gates')
        .helpGroup(groups.operate)
        .description('the gates before MCP servers, and tools that are held back since they changed'),
    ),
    'gates',
  ).action(async (options: OperatorOptions) => {
    const all = await readAll(createOperatorClient(options));
    print(terminal, options, all, () => (all.length === 0 ? 'There is no gate.' : all.map(gateText).join('\n')));
  });
  examples(
    common(
      program
        .command('gate-approve')
        .helpGroup(groups.operate)
        .argument('<gate>', 'name of the gate')
        .argument('<tool>', 'name of the tool')
        .argument('<digest>', 'how it is listed, as `standfast gates` shows it')
        .description('approves a tool as it was shown: from then on it is listed, and called by the gate’s rules'),
    ),
    'gate-approve github create_issue 3f2a91bc04d1',
  ).action(async (gate: string, tool: string, digest: string, options: OperatorOptions) => {
    const client = createOperatorClient(options);
    const found = (await readAll(client)).find(({ name }) => name === gate)?.tools.find(({ name }) => name === tool);
    if (found === undefined) throw new CommandError('notFound', `${gate} lists no tool ${tool}; see: standfast gates`);
    if (digest.length < digestChars || !found.digest.replace(/^sha256:/, '').startsWith(digest.replace(/^sha256:/, '')))
      throw new CommandError('conflict', `${tool} is not listed as ${digest} any more; see: standfast gates`);
    const body = { tool, digest: found.digest };
    await client.post(`/api/gates/${encodeURIComponent(gate)}/approve`, body);
    print(terminal, options, { gate, ...body }, () => `Approved: ${tool} of ${gate}`);
  });
}
