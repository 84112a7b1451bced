// `policy try`, which reads the rules of configurations only if it is run.
import type { Command } from 'commander';
import { common, examples, groups } from '../operate/command-parts.ts';
import type { Terminal } from '../operate/terminal.ts';
import type { TryOptions } from './policy-try.ts';

export function addPolicyCommands(program: Command, terminal: Terminal): void {
  const policy = program.command('policy').helpGroup(groups.operate).description('tries policies before they are used');
  examples(
    common(
      policy
        .command('try')
        .argument('<file>', 'a configuration with the policies, rules and gates to try')
        .description('says what of the past would have been asked, by which policy, and what not; changes nothing')
        .option('--days <n>', 'how far back', '30')
        .option('--limit <n>', 'how many questions at most', '2000'),
    ),
    'policy try next.yaml --days 90',
  ).action(async (file: string, options: TryOptions) =>
    (await import('./policy-try.ts')).tryFile(file, options, terminal),
  );
}
