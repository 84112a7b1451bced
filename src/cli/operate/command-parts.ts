// What all operators' commands share.
import type { Command } from 'commander';
import type { OperatorOptions } from './operator-client.ts';

export function common(command: Command): Command {
  return command
    .option('--url <url>', 'address of holdpoint (default: HOLDPOINT_URL, else this machine)')
    .option('--api-key <key>', 'API key (default: HOLDPOINT_API_KEY)')
    .option('--json', 'print JSON', false);
}

export function print(options: OperatorOptions, value: unknown, text: string): void {
  process.stdout.write(`${options.json ? JSON.stringify(value, null, 2) : text}\n`);
}

export const pathOf = (kind: 'holds' | 'tasks', id: string, rest = ''): string =>
  `/api/${kind}/${encodeURIComponent(id)}${rest}`;
