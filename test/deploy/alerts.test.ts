// The alert rules and the dashboard name metrics that exist, with labels that they have, and each alert is explained.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createPrometheusMetrics } from '../../src/api/http/prometheus.ts';
import { registerInstallationGauges } from '../../src/api/operate/installation-gauges.ts';
import { levelBounds, levelNames, levelObjective, serviceLevels } from '../../src/contract/base/service-level-names.ts';
import { createRegistry } from '../../src/host/metrics/registry.ts';
import { beginAtZero, createWorkerMetrics, type WorkerMetrics } from '../../src/host/metrics/worker-metrics.ts';
import type { Store } from '../../src/store/store.ts';
import {
  alertRules as rules,
  alertsPage as page,
  brokenParts,
  recordingRules,
  holds,
  samplesOf,
  type Rule,
  type Sample,
} from '../rigs/product/alert-rules.ts';
import { filesBelow, read, root, withoutComments } from '../source-tree.ts';

const dashboard = JSON.parse(read('deploy/grafana/standfast.json')) as {
  panels: { id: number; title: string; targets: { expr: string }[] }[];
};

/** Labels of each metric by its name as a query has it. */
function metricLabels(): Map<string, string[]> {
  const registry = createRegistry('api');
  createWorkerMetrics(registry);
  createPrometheusMetrics(registry);
  // Nothing is scraped here.
  registerInstallationGauges(registry, {} as unknown as Store);
  const own = registry.getMetricsAsArray().flatMap((metric) => {
    const { name, labelNames = [], type } = metric as unknown as { name: string; labelNames?: string[]; type: string };
    const names = type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => `${name}${end}`) : [name];
    return names.map((one): [string, string[]] => [one, [...labelNames, 'le', 'namespace', 'job', 'instance']]);
  });
  const others = ['up', 'process_resident_memory_bytes', 'temporal_sticky_cache_size'];
  const recorded = recordingRules.map(({ record, expr }): [string, string[]] => {
    const [, by = ''] = /\bby \(([^)]*)\)/.exec(expr) ?? [];
    return [record, by.split(/, */)];
  });
  return new Map([...own, ...recorded, ...others.map((name): [string, string[]] => [name, ['job', 'instance']])]);
}
const known = metricLabels();

const functions = new Set(
  'abs max min round sum group rate increase histogram_quantile last_over_time absent_over_time by on and or unless'.split(
    ' ',
  ),
);

/** What in a query is not a metric that Standfast has, or no label of it. */
function unknownIn(expr: string): string[] {
  const grouped = [...expr.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/, */));
  const bare = expr.replaceAll(/\b(?:by|on) \([^)]*\)/g, '').replaceAll(/"[^"]*"/g, '""');
  const labels = [...bare.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside = '']) =>
    [...inside.matchAll(/(\w+)(?:=~|!~|!=|=)/g)].map(([, name = '']) => name),
  );
  const metrics = [...bare.replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, '').matchAll(/[a-zA-Z_][\w:]*/g)]
    .map(([name]) => name)
    .filter((name) => !functions.has(name));
  const allowed = metrics.flatMap((name) => known.get(name) ?? []);
  return [
    ...metrics.filter((name) => !known.has(name)),
    ...[...labels, ...grouped].filter((label) => !allowed.includes(label)),
  ];
}

describe('alert rules', () => {
  test.each(rules.map((rule): [string, Rule] => [rule.alert, rule]))(
    'the alert %s asks for metrics and labels that exist, has a severity, and is explained in the documents',
    (name, { expr, labels, annotations }) => {
      expect(unknownIn(expr)).toEqual([]);
      expect(['info', 'warning', 'critical']).toContain(labels.severity);
      expect(annotations.summary).not.toBe('');
      expect(annotations.runbook_url).toBe(`docs/operate/alerts.md#${name.toLowerCase()}`);
      expect(page).toMatch(new RegExp(`^## ${name}\\n\\n\\S`, 'm'));
    },
  );

  test.each(recordingRules.map(({ record, expr }): [string, string] => [record, expr]))(
    'the recording rule %s asks for metrics and labels that exist',
    (_name, expr) => expect(unknownIn(expr)).toEqual([]),
  );

  test.each(levelNames)('recording rules count as late what the service level %s does, by its histogram', (level) => {
    const { metric, withinSeconds } = serviceLevels[level];
    const late = recordingRules.filter(({ expr }) => expr.includes(`${metric}_bucket`));
    expect(late).toHaveLength(4);
    expect(levelBounds).toContain(withinSeconds);
    for (const { expr } of late) expect(expr).toContain(`{le=~"${withinSeconds}|${withinSeconds}[.]0"}`);
    const share = Math.round((1 - levelObjective) * 1e6) / 1e6;
    const burns = rules.filter(({ expr }) => late.some(({ record }) => expr.includes(record)));
    expect(burns.map(({ labels }) => labels.severity)).toEqual(['critical', 'warning']);
    for (const { expr } of burns) expect(expr.match(/\* [\d.]+/g)).toEqual([`* ${share}`, `* ${share}`]);
  });

  test('alert rules are all explained, and no others', () => {
    const explained = [...page.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
    expect(new Set(explained)).toEqual(new Set(rules.map(({ alert }) => alert)));
    for (const [, name] of page.matchAll(/`(Standfast\w+)`/g)) expect(explained).toContain(name);
  });

  test('alert rules are with what broke in a table whose alerts exist, and whose log lines are written by the program', () => {
    const written = filesBelow('src', (path) => path.endsWith('.ts')).map((path) => withoutComments(read(path)));
    expect(brokenParts).toHaveLength([...page.matchAll(/^\| .*`Standfast/gm)].length);
    for (const { what, alert, log } of brokenParts) {
      expect(rules.map((rule) => rule.alert)).toContain(alert);
      const found = written.some((text) => text.includes(`'${log.begins}`) || text.includes(`\`${log.begins}`));
      expect({ what, found }).toEqual({ what, found: true });
    }
  });

  test.each<[string, (metrics: WorkerMetrics) => void]>([
    ['StandfastNoticesGivenUp', ({ notices }) => notices.inc({ channel: 'ops', result: 'given_up' })],
    ['StandfastUndecidedResult', ({ undecidedResults }) => undecidedResults.inc({ agent: 'a' })],
    ['StandfastTasksFail', ({ tasksEnded }) => tasksEnded.inc({ agent: 'a', status: 'FAILED', code: 'internal' }, 11)],
  ])('the alert %s fires for the first event after a start, too', async (name, happen) => {
    const registry = createRegistry('worker');
    const metrics = createWorkerMetrics(registry);
    beginAtZero(metrics, { agents: ['a'], channels: ['ops'], policies: {} });
    const scraped = async (): Promise<Sample[]> => samplesOf(await registry.metrics(), 'worker');
    const before = await scraped();
    happen(metrics);
    const { expr = '' } = rules.find(({ alert }) => alert === name) ?? {};
    expect([holds(expr, before, before), holds(expr, before, await scraped())]).toEqual([false, true]);
  });

  test('a query of something that does not exist would be noticed', () => {
    expect(unknownIn('max(standfast_nothing) > 1')).toEqual(['standfast_nothing']);
    expect(unknownIn('sum by (colour) (standfast_workers{shape="round"})')).toEqual(['shape', 'colour']);
  });
});

test('the dashboard asks for metrics and labels that exist', () => {
  expect(dashboard.panels.length).toBeGreaterThan(15);
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  const queries = dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));
  expect(queries.flatMap(({ title, expr }) => unknownIn(expr).map((name) => `${title}: ${name}`))).toEqual([]);
});

const promtool = [process.env['PROMTOOL'], join(homedir(), '.cache/standfast/bin/promtool')].find(
  (path) => path !== undefined && path !== '' && existsSync(path),
);
// `node scripts/operators-tools.mjs promtool` gets it; the rules are also checked above without it.
if (promtool === undefined) console.warn('promtool: none; what it says of the alert rules is left out');
else
  test('promtool takes the rules, and they fire as their own tests expect', () => {
    const run = (...args: string[]): string =>
      execFileSync(promtool, args, { cwd: join(root, 'deploy/prometheus'), encoding: 'utf8' });
    expect(run('check', 'rules', 'standfast.rules.yaml')).toContain('SUCCESS');
    expect(run('test', 'rules', 'standfast.rules.test.yaml')).toContain('SUCCESS');
  });
