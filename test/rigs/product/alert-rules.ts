// What Prometheus would make of what processes expose: as much of its language as deploy/prometheus/standfast.rules.yaml takes.
import { parse } from 'yaml';
import { read } from '../../source-tree.ts';

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

export interface RecordingRule {
  record: string;
  expr: string;
}

export const rulesFile = 'deploy/prometheus/standfast.rules.yaml';
const { groups } = parse(read(rulesFile)) as { groups: { rules: (Rule | RecordingRule)[] }[] };
const allRules = groups.flatMap(({ rules }) => rules);
export const alertRules = allRules.filter((rule): rule is Rule => 'alert' in rule);
/** What other rules name as a metric. */
export const recordingRules = allRules.filter((rule): rule is RecordingRule => 'record' in rule);

const labelsIn = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]));

/** Of one process: the samples of a scrape. */
export function samplesOf(text: string, instance: string): Sample[] {
  const lines = [...text.matchAll(/^([a-zA-Z_]\w*)(?:\{(.*)\})? (\S+)$/gm)];
  return lines.map(([, name = '', labels = '', value = '']) => ({
    name,
    labels: { ...labelsIn(labels), instance },
    value: Number(value),
  }));
}

function chosen(selector: string, samples: Sample[]): Sample[] {
  const [, name, inside = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(selector) ?? [];
  const wanted = Object.entries(labelsIn(inside));
  return samples.filter((one) => one.name === name && wanted.every(([label, value]) => one.labels[label] === value));
}

const idOf = ({ name, labels }: Sample): string => {
  const pairs = Object.entries(labels).map((label) => label.join('='));
  return [name, ...pairs.toSorted()].join(' ');
};

/** The rise of each series between two scrapes; of one that was not there before Prometheus knows none. */
function rises(selector: string, before: Sample[], now: Sample[]): Sample[] {
  const earlier = new Map(before.map((one) => [idOf(one), one.value]));
  return chosen(selector, now).map((one) => ({ ...one, value: one.value - (earlier.get(idOf(one)) ?? one.value) }));
}

const aggregates: Record<string, (values: number[]) => number> = {
  max: (values) => Math.max(...values),
  min: (values) => Math.min(...values),
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
};

/** Whether its expression holds `now`, with `before` at the beginning of every range. */
export function holds(expr: string, before: Sample[], now: Sample[]): boolean {
  const [, aggregate = '', by = '', inner = '', operator, limit = ''] =
    /^(max|min|sum)(?: by \(([^)]*)\))? ?\((.*)\) (==|>|<) (.+)$/.exec(expr.trim()) ?? [];
  const combine = aggregates[aggregate];
  if (combine === undefined) throw new Error(`not understood: ${expr}`);
  const [, counter] = /^increase\((.*)\[\w+\]\)$/.exec(inner) ?? [];
  const [, signed] = /^abs\((.*)\)$/.exec(inner) ?? [];
  const samples = counter === undefined ? chosen(signed ?? inner, now) : rises(counter, before, now);
  const most = Number(limit);
  const names = by.split(/, */);
  const values = new Map<string, number[]>();
  for (const { labels, value } of samples) {
    const group = JSON.stringify(names.map((name) => labels[name]));
    values.set(group, [...(values.get(group) ?? []), signed === undefined ? value : Math.abs(value)]);
  }
  return [...values.values()].map(combine).some((value) => {
    return operator === '==' ? value === most : operator === '>' ? value > most : value < most;
  });
}

interface BrokenPart {
  what: string;
  alert: string;
  /** How a line of the log begins, of which process, and whether it names the task. */
  log: { role: string; begins: string; hasTask: boolean };
}

export const alertsPage = read('docs/operate/alerts.md');

/** The table of what breaks: test/journeys/split/failures.test.ts breaks each. */
export const brokenParts = [
  ...alertsPage.matchAll(/^\| ([^|]+?) +\| `(Standfast\w+)` +\| (\w+): `([^`]+)`([^|]*)\|$/gm),
].map(([, what = '', alert = '', role = '', begins = '', more = '']): BrokenPart => ({
  what,
  alert,
  log: { role, begins, hasTask: /\btask\b/.test(more) },
}));
