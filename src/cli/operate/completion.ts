// `holdpoint completion bash|zsh|fish`, generated from the commands.
import { Argument } from 'commander';
import type { Command, Option } from 'commander';
import { groups } from './command-parts.ts';
import type { Terminal } from './terminal.ts';

interface Completed {
  name: string;
  description: string;
  options: { flag: string; description: string; takesValue: boolean }[];
}

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** Help text in single quotes that bash, zsh and fish all parse. */
const quoted = (text: string): string =>
  text
    .replaceAll(/['\\:[\]]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

function commandsOf(program: Command): Completed[] {
  const option = ({ long, description, required, optional }: Option): Completed['options'][number] => ({
    flag: long ?? '',
    description: quoted(description),
    takesValue: required || optional,
  });
  const help = { flag: '--help', description: 'display help for command', takesValue: false };
  return program.commands.map((command) => ({
    name: command.name(),
    description: quoted(command.description()),
    options: [...command.options.map(option), help],
  }));
}

function bash(commands: Completed[]): string {
  const cases = commands.map(
    ({ name, options }) => `    ${name}) words='${options.map(({ flag }) => flag).join(' ')}' ;;`,
  );
  return `# bash completion of holdpoint: source <(holdpoint completion bash)
_holdpoint() {
  local current=\${COMP_WORDS[COMP_CWORD]} words
  case \${COMP_CWORD} in
  1) words='${commands.map(({ name }) => name).join(' ')} --help --version' ;;
  *)
    case \${COMP_WORDS[1]} in
${cases.join('\n')}
    esac
    [[ $current == -* ]] || { COMPREPLY=($(compgen -f -- "$current")); return; }
    ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _holdpoint holdpoint`;
}

function zsh(commands: Completed[]): string {
  const names = commands.map(({ name, description }) => `    '${name}:${description}'`);
  const cases = commands.map(({ name, options }) => {
    const each = options.map(
      ({ flag, description, takesValue }) => `'${flag}[${description}]${takesValue ? ':value:_files' : ''}'`,
    );
    return `    ${name}) _arguments ${each.join(' ')} '*: :_files' ;;`;
  });
  return `#compdef holdpoint
# zsh completion of holdpoint: source <(holdpoint completion zsh)
_holdpoint() {
  local -a commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  local name=$words[2]
  shift words
  (( CURRENT -= 1 ))
  case $name in
${cases.join('\n')}
  esac
}
compdef _holdpoint holdpoint`;
}

function fish(commands: Completed[]): string {
  const lines = commands.flatMap(({ name, description, options }) => [
    `complete -c holdpoint -n __fish_use_subcommand -f -a ${name} -d '${description}'`,
    ...options.map(
      ({ flag, description: what, takesValue }) =>
        `complete -c holdpoint -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}${takesValue ? ' -r' : ''} -d '${what}'`,
    ),
  ]);
  return ['# fish completion of holdpoint: holdpoint completion fish | source', ...lines].join('\n');
}

const writers: Record<Shell, (commands: Completed[]) => string> = { bash, zsh, fish };

export function addCompletionCommand(program: Command, terminal: Terminal): void {
  program
    .command('completion')
    .helpGroup(groups.operate)
    .description('prints a completion script for a shell')
    .addArgument(new Argument('<shell>', 'whose completion').choices(shells))
    .addHelpText(
      'after',
      '\nExamples:\n  $ source <(holdpoint completion bash)\n  $ holdpoint completion fish | source',
    )
    .action((shell: Shell) => terminal.write(`${writers[shell](commandsOf(program))}\n`));
}
