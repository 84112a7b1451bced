// The code that docs/agents.md prints, to be run as it is.
import { spawnSync } from 'node:child_process';
import { expect } from '@jest/globals';
import { read, root } from '../../source-tree.ts';
import { leastBoundMs } from '../wait-for.ts';

const [, text = ''] = /^## Recipes$([^]*?)^## /m.exec(read('docs/agents.md')) ?? [];

/** Each recipe with its title as the first line. */
export const recipes = text.split(/^### /m).slice(1);

/** What a section prints as code, in order: between fences, or indented. */
export function codeIn(section: string): string[] {
  const [, after = ''] = read('docs/agents.md').split(`\n## ${section}\n`);
  const [own = ''] = after.split(/^## /m);
  const found = [...own.matchAll(/^```\w+\n([^]*?)^```$|((?:^ {4}.*\n)+)/gm)];
  return found.map(([, fenced, indented = '']) => fenced ?? indented.replaceAll(/^ {4}/gm, ''));
}

export function snippetsOf(title: string): string[] {
  const recipe = recipes.find((one) => one.startsWith(`${title}\n`)) ?? '';
  return [...recipe.matchAll(/^```(?:python|js|go)\n([^]*?)^```$/gm)].map(([, code = '']) => code);
}

/** What a program at the root, given this on standard input, prints as lines of JSON. */
export function printedBy(command: string, args: string[], input: string, env: NodeJS.ProcessEnv = {}): unknown[] {
  const given = { cwd: root, input, env: { ...process.env, ...env }, encoding: 'utf8', timeout: leastBoundMs } as const;
  const { status, stdout, stderr } = spawnSync(command, args, given);
  if (status !== 0) throw new Error(`it ended with ${status}:\n${stderr.slice(-4_000)}`);
  return stdout.split('\n').flatMap((line) => (/^[[{]/.test(line) ? [JSON.parse(line) as unknown] : []));
}

/** A turn that ended with a question of these parts. */
export const asking = (...parts: object[]): unknown => ({
  state: 'TASK_STATE_INPUT_REQUIRED',
  parts: parts.map((part) => expect.objectContaining(part)),
});
export const withData = (given: object): object => ({ data: expect.objectContaining(given) });
