// `grants`: which calls need not be asked about any more; giving one after an approval, and ending it at once.
import type { Command } from 'commander';
import type { GrantView } from '../../contract/base/grant.ts';
import { common, examples, groups, print } from './command-parts.ts';
import { createOperatorClient, type OperatorOptions } from './operator-client.ts';
import { table } from './tables.ts';
import type { Terminal } from './terminal.ts';

type Given = OperatorOptions & { range?: string[]; times?: string; sum?: string; until?: string };

const listText = (all: readonly GrantView[], terminal: Terminal): string =>
  table(
    all,
    [
      { name: 'id', of: ({ id }) => id },
      { name: 'state', of: ({ state }) => state },
      { name: 'agent', of: ({ agent }) => agent },
      { name: 'tool', of: ({ tool }) => tool, flexible: { least: 8 } },
      { name: 'may differ', of: ({ ranges }) => ranges.join(', '), flexible: { least: 10 }, spare: 1 },
      { name: 'used', of: ({ times }) => `${times.used}/${times.most}` },
      { name: 'sum', of: ({ sum }) => (sum === null ? '' : `${sum.used}/${sum.most}`), spare: 2 },
      { name: 'until', of: ({ until }) => until.slice(0, 16) },
      { name: 'given by', of: ({ by }) => by.map((one) => one.by).join(', ') },
    ],
    terminal,
  );

const oneText = ({ id, state, agent, tool, by, need, times, until }: GrantView): string =>
  `${id}: ${state}; ${tool} of ${agent}, ${times.used} of ${times.most} calls used, until ${until}, given by ${by.map((one) => one.by).join(', ')} (${by.length} of ${need})`;

export function addGrantCommands(program: Command, terminal: Terminal): void {
  const grants = examples(
    common(
      program.command('grants').helpGroup(groups.answer).description('calls that need not be asked about any more'),
    ),
    'grants',
    'grants give 7c9e6679 --range "amount <= 200" --times 10',
    'grants revoke 0e1f2a3b-…',
  ).action(async (options: OperatorOptions) => {
    const { items } = await createOperatorClient(options).get<{ items: GrantView[] }>('/api/grants');
    print(terminal, options, items, () => listText(items, terminal));
  });
  common(
    grants
      .command('give')
      .argument('<question>', 'an approval of yours or your group')
      .description('grants calls like the one that was approved; as wide as its policy allows, or narrower')
      .option('--range <comparison...>', 'within which arguments may differ')
      .option('--times <n>', 'how many calls at most')
      .option('--sum <n>', 'how much over all of them')
      .option('--until <time>', 'ISO 8601'),
  ).action(async (question: string, { range, times, sum, until, ...options }: Given) => {
    const client = createOperatorClient(options);
    const grant = await client.post<GrantView>('/api/grants', {
      hold: question,
      ...(range === undefined ? {} : { ranges: range }),
      ...(times === undefined ? {} : { times: Number(times) }),
      ...(sum === undefined ? {} : { sum: Number(sum) }),
      ...(until === undefined ? {} : { until }),
    });
    print(terminal, options, grant, () => oneText(grant));
  });
  for (const [name, what, method, path] of [
    ['join', 'gives a grant that needs several persons, as another one did', 'POST', '/give'],
    ['revoke', 'ends a grant at once, for what is not sent yet, too', 'DELETE', ''],
  ] as const)
    common(grants.command(name).argument('<grant>', 'its id').description(what)).action(
      async (id: string, options: OperatorOptions) => {
        const grant = await createOperatorClient(options).send<GrantView>(method, `/api/grants/${id}${path}`);
        print(terminal, options, grant, () => oneText(grant));
      },
    );
}
