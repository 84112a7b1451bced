// Shared parts of the operators' commands.
import type { Command } from 'commander';
import { valueAt } from '../../core/base/own-entry.ts';
import { durationMs } from '../../core/policy/duration.ts';
import { CommandError } from './command-error.ts';
import type { Me } from '../../contract/views/inbox.ts';
import type { OperatorClient, OperatorOptions } from './operator-client.ts';
import type { Terminal } from './terminal.ts';

/** Headings of the help, in order. */
export const groups = {
  run: 'Run Standfast:',
  ask: 'Ask people:',
  answer: 'Answer questions:',
  operate: 'Operate:',
} as const;

const withOptions = (command: Command, flag: string, says: string): Command =>
  command
    .option('--url <url>', 'address of Standfast (default: STANDFAST_URL, else this machine)')
    .option('--api-key <key>', 'API key (default: STANDFAST_API_KEY)')
    .option(flag, `print JSON, errors too${says}`);

export const common = (command: Command): Command => withOptions(command, '--json', '');

/** The same of a command whose result has members to choose from. */
export const choosing = (command: Command): Command =>
  withOptions(command, '--json [fields]', '; with names, comma-separated, those members alone');

/** These members alone, in the order in which they were named; one that it has not is refused with those that it has. */
export function chosenMembers(value: object, fields: string): Record<string, unknown> {
  const names = fields.split(',').map((name) => name.trim());
  const first = (name: string): string => name.split('.')[0] ?? '';
  const unknown = names.filter((name) => !Object.hasOwn(value, first(name)));
  if (unknown.length > 0) {
    const known = Object.keys(value).toSorted().join(', ');
    throw new CommandError('usage', `--json: nothing is called ${unknown.join(', ')}; there are ${known}`);
  }
  return Object.fromEntries(names.map((name) => [name, valueAt(value, name.split('.')) ?? null]));
}

/** What `--json` prints of one thing, or of each of a list. */
export function asChosen(value: object, { json }: Pick<OperatorOptions, 'json'>): object {
  if (typeof json !== 'string') return value;
  return Array.isArray(value) ? value.map((one: object) => chosenMembers(one, json)) : chosenMembers(value, json);
}

interface Desk {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  isTTY: boolean;
}

/** Opens a page in the browser, where somebody sits at a screen of this machine; its address is printed in any case. */
export async function openOnWeb(
  terminal: Terminal,
  address: string,
  desk: Desk = { env: process.env, platform: process.platform, isTTY: terminal.columns !== null },
): Promise<void> {
  // Loaded only here: no other command starts a program.
  const { openPage, whyNotOpened } = await import('../../host/process/open-page.ts');
  const why = whyNotOpened(desk);
  if (why === null) openPage(address, desk);
  else terminal.warn(`not opened (${why}):\n`);
  terminal.write(`${address}\n`);
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
  return command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  $ standfast ${line}`).join('\n')}`);
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
