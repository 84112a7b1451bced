// What the environment gives to the configuration, and how the rest is judged where it gives nothing.
import { createHash, randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { ConfigSchema } from '../contract/configuration/config.ts';
import { valueAt } from './config-issues.ts';
import { pathText, type ConfigSource, type Path, type SourceProblem } from './config-source.ts';

const pathOf = (issue: z.core.$ZodIssue): Path =>
  issue.path.map((step) => (typeof step === 'number' ? step : String(step)));

function setAt(data: unknown, path: Path, value: unknown): void {
  const parent = valueAt(data, path.slice(0, -1));
  if (typeof parent === 'object' && parent !== null) Reflect.set(parent, path.at(-1) ?? '', value);
}

/** Converts substituted text to numbers where the schema expects them: `port: ${PORT}`. */
export function withNumbers(source: ConfigSource): unknown {
  const parsed = ConfigSchema.safeParse(source.data ?? {});
  for (const issue of parsed.error?.issues ?? []) {
    const path = pathOf(issue);
    const value = valueAt(source.data, path);
    if (issue.code !== 'invalid_type' || typeof value !== 'string' || !source.isSubstituted(path)) continue;
    if (!['number', 'int'].includes(issue.expected) || !/^\d{1,12}$/.test(value)) continue;
    setAt(source.data, path, Number(value));
  }
  return source.data ?? {};
}

export const unsetFaults = ({ unset }: ConfigSource): SourceProblem[] =>
  unset.flatMap(({ names, path, line, column }) =>
    names.map((name) => ({
      line,
      column,
      path: pathText(path),
      message: `the environment variable ${name} is not set; this value needs it`,
    })),
  );

/** Texts of which the schema takes one wherever a secret, an address, a name or a number is due; a path's own, since keys must differ. */
function standInsOf(path: string): string[] {
  const hex = createHash('sha256').update(path).digest('hex');
  const host = `${hex.slice(0, 16)}.invalid`;
  const secrets = [hex, `whsec_${hex}`, `xoxb-${hex}`, `xapp-${hex}`, randomUUID(), hex.slice(0, 43)];
  const others = [`https://${host}`, `smtps://${host}`, `a@${host}`, `role:${hex.slice(0, 16)}`];
  return [...secrets, `${hex}${hex}`.slice(0, 87), ...others, '2000', '10', '1h', '2100-01-01'];
}

/** Gives each value whose variables are not set one that the schema takes, so that all else is judged. */
export function unsetWarnings(source: ConfigSource): { warnings: SourceProblem[]; problems: SourceProblem[] } {
  const isRefused = (path: string): boolean =>
    ConfigSchema.safeParse(withNumbers(source)).error?.issues.some((issue) => pathText(pathOf(issue)) === path) ===
    true;
  const judged = source.unset.map(({ names, path, put, line, column }) => {
    const at = { line, column, path: pathText(path) };
    const fits = standInsOf(at.path).some((text) => {
      setAt(source.data, path, put(text));
      return !isRefused(at.path);
    });
    const variables = names.join(' and ');
    const message = fits
      ? `not judged: it needs ${variables}`
      : `it needs ${variables}, and what that is decides about the rest: set it`;
    return { fits, problem: { ...at, message } };
  });
  const problemsOf = (fits: boolean): SourceProblem[] =>
    judged.filter((one) => one.fits === fits).map(({ problem }) => problem);
  return { warnings: problemsOf(true), problems: problemsOf(false) };
}
