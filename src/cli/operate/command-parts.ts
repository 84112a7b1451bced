// Shared parts of the operators' commands.
import type { Command } from 'commander';
import { durationMs } from '../../core/policy/duration.ts';
import { CommandError } from './command-error.ts';
import type { Me } from '../../contract/views/inbox.ts';
import type { OperatorClient, OperatorOptions } from './operator-client.ts';
import type { Terminal } from './terminal.ts';

/** Headings of the help, in order. */
export const groups = {
  run: 'Run Holdpoint:',
  ask: 'Ask people:',
  answer: 'Answer questions:',
  operate: 'Operate:',
} as const;

export function common(command: Command): Command {
  return command
    .option('--url <url>', 'address of holdpoint (default: HOLDPOINT_URL, else this machine)')
    .option('--api-key <key>', 'API key (default: HOLDPOINT_API_KEY)')
    .option('--json', 'print JSON, errors too');
}

/** An option that may be repeated. */
export const several = (one: string, all: string[] = []): string[] => [...all, one];

/** How long `--wait` says, in milliseconds. */
export function waitMs(text: string, example: string): number {
  try {
    return durationMs(text);
  } catch {
    throw new CommandError('usage', `--wait: expected a duration such as 30s or ${example}, found "${text}"`);
  }
}

/** Adds examples to the end of a command's help. */
export function examples(command: Command, ...lines: string[]): Command {
  return command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  $ holdpoint ${line}`).join('\n')}`);
}

export function print(terminal: Terminal, options: OperatorOptions, value: unknown, text: () => string): void {
  terminal.write(`${options.json ? JSON.stringify(value, null, 2) : text()}\n`);
}

export const pathOf = (kind: 'holds' | 'tasks', id: string, rest = ''): string =>
  `/api/${kind}/${encodeURIComponent(id)}${rest}`;

export interface Names {
  agent(name: string): string;
  person(id: string): string;
}

/** Titles of agents and names of people, as shown on the pages. */
export async function readNames(client: OperatorClient): Promise<Names> {
  const { agents, names } = await client.get<Me>('/api/me');
  const titles = new Map(agents.map(({ name, title }) => [name, title]));
  return { agent: (name) => titles.get(name) ?? name, person: (id) => names[id] ?? id };
}
