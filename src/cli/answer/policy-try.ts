// `policy try`: what the policies, rules, gates and grants of a file would have made of the past. Nothing is changed.
import { formatProblems, loadConfig } from '../../config/config.ts';
import type { Config } from '../../contract/configuration/config.ts';
import type { HoldView } from '../../contract/holds/hold.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import { audienceOf } from '../../core/policy/ladder.ts';
import { ownEntry } from '../../core/base/own-entry.ts';
import { tryPolicies, type PastQuestion, type ProposedGrant, type Tried } from '../../core/answers/try-policies.ts';
import { CommandError } from '../operate/command-error.ts';
import { print } from '../operate/command-parts.ts';
import { createOperatorClient, type OperatorClient, type OperatorOptions } from '../operate/operator-client.ts';
import { table } from '../operate/tables.ts';
import type { Terminal } from '../operate/terminal.ts';

const dayMs = 86_400_000;
const pageSize = 200;

function read(file: string): Config {
  const loaded = loadConfig({ path: file, env: process.env, isWithoutSecrets: true });
  if (!loaded.ok) throw new CommandError('usage', formatProblems(loaded.problems));
  return loaded.config;
}

/** Newest first, as the api lists them. */
async function pastSince(client: OperatorClient, sinceMs: number, most: number): Promise<HoldView[]> {
  const found: HoldView[] = [];
  let cursor: string | null = null;
  do {
    const more: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: { items: HoldView[]; nextCursor?: string | null } = await client.get(
      `/api/holds?sort=newest&limit=${pageSize}${more}`,
    );
    found.push(...page.items);
    cursor = page.nextCursor ?? null;
    const last = found.at(-1);
    if (last === undefined || Date.parse(last.openedAt) < sinceMs || found.length >= most) break;
  } while (cursor !== null);
  return found.filter(({ openedAt }) => Date.parse(openedAt) >= sinceMs).slice(0, most);
}

/** One that took the place of another counts once, and what operators are asked comes under no policy of the file. */
const isOfFile = ({ kind, supersededBy, fault }: HoldView): boolean =>
  kind !== 'operator' && supersededBy === null && fault === undefined;

function pastOf(hold: HoldView): PastQuestion {
  const {
    id,
    agent,
    requester: owner,
    kind,
    dialect,
    title,
    policy,
    tool,
    openedAt,
    verdict,
    decision,
    changed,
  } = hold;
  const isWhole = hold.context.whole.length === 0;
  // Safe: JSON came from the api.
  const args = hold.context.toolArgs as JsonObject;
  const proposed = tool === null ? (hold.defaults as JsonObject) : args;
  const isTelling = (verdict === 'yes' || verdict === 'no') && !changed;
  const decided = !isTelling || decision === null ? null : { verdict, by: decision.by, at: decision.at };
  const call = tool === null || !isWhole ? null : { tool: tool.name, args };
  const data = isWhole ? [proposed] : null;
  const hasMore = hold.context.files.length + hold.context.data.length > 0;
  return { id, agent, owner, kind, dialect, title, policy, call, hasMore, data, openedAt, decided };
}

const did = ({ now }: Tried): string =>
  now.do === 'ask'
    ? `asked under ${now.policy}`
    : now.do === 'grant'
      ? `not asked: a grant by ${now.by}`
      : now.do === 'pass'
        ? 'not asked: no gate holds it'
        : 'refused by its gate';

function whoOf({ policies }: Config, { now }: Tried): string {
  if (now.do !== 'ask') return '';
  const policy = ownEntry(policies, now.policy);
  return policy === undefined ? 'owner' : audienceOf(policy).join(', ');
}

function countText(config: Config, tried: readonly Tried[], terminal: Terminal): string {
  const counts = new Map<string, { what: string; who: string; count: number }>();
  for (const one of tried) {
    const what = did(one);
    const row = counts.get(what) ?? { what, who: whoOf(config, one), count: 0 };
    counts.set(what, { ...row, count: row.count + 1 });
  }
  return table(
    [...counts.values()].toSorted((a, b) => b.count - a.count),
    [
      { name: 'questions', of: ({ count }) => String(count) },
      { name: 'what becomes of them', of: ({ what }) => what },
      { name: 'asks', of: ({ who }) => who, flexible: { least: 10 } },
    ],
    terminal,
  );
}

function movedText(tried: readonly Tried[]): string[] {
  const moved = tried.filter(({ before, now }) => now.do !== 'ask' || now.policy !== before);
  const shown = moved.slice(-20).map((one) => `  ${one.id.slice(0, 8)} ${one.title}: ${one.before} → ${did(one)}`);
  if (moved.length === 0) return ['Each comes under the policy that it came under.'];
  return [`${moved.length} of ${tried.length} otherwise than they were (the last ${shown.length}):`, ...shown];
}

const proposedText = ({ hold, by, terms, spared }: ProposedGrant): string =>
  `  standfast grants give ${hold.slice(0, 8)}    # ${terms.tool} of ${terms.agent}, approved by ${by}: ${spared} asked in vain since`;

export interface TryOptions extends OperatorOptions {
  days: string;
  limit: string;
}

function wholeNumber(text: string, option: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new CommandError('usage', `${option}: expected a whole number from 1, found "${text}"`);
}

/** Prints what the file would have made of the questions that the api lists. */
export async function tryFile(
  file: string,
  { days, limit, ...options }: TryOptions,
  terminal: Terminal,
): Promise<void> {
  const config = read(file);
  const sinceMs = Date.now() - wholeNumber(days, '--days') * dayMs;
  const all = await pastSince(createOperatorClient(options), sinceMs, wholeNumber(limit, '--limit'));
  const past = all.filter(isOfFile).map(pastOf);
  const result = tryPolicies(config, past.toReversed());
  print(terminal, options, result, () =>
    past.length === 0
      ? 'No question was asked in that time.'
      : [
          countText(config, result.tried, terminal),
          '',
          ...movedText(result.tried),
          ...(result.proposed.length === 0
            ? []
            : ['', 'Grants that these policies allow, and that would have spared questions:']),
          ...result.proposed.slice(0, 10).map(proposedText),
        ].join('\n'),
  );
}
