// The chart as text, and as Helm renders it where Helm is installed (`node scripts/operators-tools.mjs` builds it).
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig } from '../../src/config/config.ts';
import { version } from '../../src/host/process/version.ts';
import { read, root } from '../source-tree.ts';

const chart = 'deploy/helm/standfast';

interface Values {
  config: string;
  image: object;
  secrets: object;
  temporal: object;
  api: { resources: { limits: { memory: string } } };
  worker: { resources: { limits: { memory: string } } };
}
const values = parse(read(`${chart}/values.yaml`)) as Values;

describe('the Helm chart', () => {
  test('the Helm chart has the alert rules as they are', () => {
    expect(read(`${chart}/files/standfast.rules.yaml`)).toBe(read('deploy/prometheus/standfast.rules.yaml'));
  });

  test('the Helm chart has the version of the program, which a release writes', () => {
    expect(parse(read(`${chart}/Chart.yaml`))).toMatchObject({ version, appVersion: version });
  });

  test('the Helm chart names no image of its own, and its schema asks for one', () => {
    expect(values.image).toMatchObject({ repository: '', digest: '' });
    const isValid = new Ajv({ strict: false }).compile(JSON.parse(read(`${chart}/values.schema.json`)) as object);
    const { image, secrets, temporal } = values;
    const given = { ...values, secrets: { ...secrets, existing: 's' }, temporal: { ...temporal, address: 't:7233' } };
    expect(isValid(given)).toBe(false);
    expect(isValid({ ...given, image: { ...image, repository: 'registry.example.com/standfast' } })).toBe(true);
  });

  test('the Helm chart has a configuration that the program takes', () => {
    const loaded = loadConfig({ text: values.config, env: { STANDFAST_API_KEY: 'k'.repeat(40) } });
    expect(loaded).toMatchObject({ ok: true });
  });
});

// Promise V24
test('docker-compose.yml publishes the port of gRPC that its configuration may open, on loopback alone', () => {
  const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
    services: Record<string, { ports?: string[] }>;
  };
  const [, port] = /^ {2}# grpc: \{ port: (\d+)/m.exec(read('deploy/config/standfast.yaml')) ?? [];
  expect(services['api']?.ports).toEqual(['127.0.0.1:8600:8600', `127.0.0.1:${port}:${port}`]);
});

interface Manifest {
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec: {
    template: {
      spec: {
        securityContext: object;
        containers: {
          image: string;
          args: string[];
          env: { name: string; value?: string }[];
          envFrom: { secretRef: { name: string } }[];
          readinessProbe: { httpGet: { path: string; port: string } };
          livenessProbe: { httpGet: { path: string; port: string } };
          securityContext: object;
        }[];
      };
    };
  };
}

const containersOf = ({
  template,
}: Partial<Manifest['spec']> = {}): Manifest['spec']['template']['spec']['containers'] =>
  template?.spec.containers ?? [];

const tool = (name: string): string | undefined =>
  [process.env[name.toUpperCase()], join(homedir(), '.cache/standfast/bin', name)].find(
    (path) => path !== undefined && path !== '' && existsSync(path),
  );
const helm = tool('helm');
const kubeconform = tool('kubeconform');
const schemas = tool('kubernetes-1.29');
const needed = {
  'image.repository': 'registry.example.com/standfast',
  'secrets.existing': 'standfast-secrets',
  'temporal.address': 'temporal:7233',
};
const everything = {
  'metrics.podMonitor': 'true',
  'metrics.rules': 'true',
  'metrics.runbookBase': 'https://docs.example.com/',
  'ingress.enabled': 'true',
  'worker.evidenceClaim': 'heads',
  'worker.autoscaling.backlogMetric': 'standfast_intake_backlog',
  'temporal.clientCertSecret': 'temporal-client',
  'image.digest': `sha256:${'a'.repeat(64)}`,
};

/** The chart's configuration with a port of gRPC, as a user writes it. */
const withGrpc = {
  config: values.config.replace('server:\n', 'server:\n  grpc: { port: 8643 }\n').replaceAll(',', '\\,'),
  grpcTlsSecret: 'grpc-tls',
};

function run(command: 'lint' | 'template', settings: Record<string, string>): string {
  const set = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const args = command === 'lint' ? ['lint', chart] : ['template', 'standfast', chart, '--kube-version', '1.29.0'];
  return execFileSync(helm ?? '', [...args, ...set], { cwd: root, encoding: 'utf8', stdio: 'pipe' });
}

const manifestsOf = (settings: Record<string, string>): Manifest[] =>
  parseAllDocuments(run('template', settings)).flatMap((document) => {
    expect(document.errors).toEqual([]);
    const value: unknown = document.toJS();
    return value === null ? [] : [value as Manifest];
  });

if (helm === undefined) console.warn('helm: none; what it makes of the chart is left out');
const describeRendered = helm === undefined ? () => undefined : describe;
describeRendered('the chart as Helm renders it', () => {
  test('the Helm chart passes helm lint, and refuses to do without an image, a secret and an address of Temporal', () => {
    expect(run('lint', needed)).toContain('0 chart(s) failed');
    expect(() => run('template', {})).toThrow(/image|secrets|temporal/);
  });

  test('the Helm chart opens the metrics to its own namespace alone, unless others are named', () => {
    const policies = manifestsOf(needed).filter(({ kind }) => kind === 'NetworkPolicy');
    expect(policies.length).toBeGreaterThan(1);
    expect(JSON.stringify(policies)).not.toContain('namespaceSelector');
  });

  test('the Helm chart gives each role the secrets that docker-compose.yml gives it', () => {
    const compose = parse(read('docker-compose.yml'), { merge: true }) as {
      services: Record<string, { env_file?: string[]; environment?: Record<string, string> }>;
    };
    const keys = read('src/host/process/environment.ts').match(/STANDFAST_[A-Z_]*KEY[A-Z_]*|DATABASE_URL/g) ?? [];
    const names = [...new Set(keys)].toSorted();
    const ofChart = new Map(
      manifestsOf(needed).flatMap(({ spec }) => containersOf(spec).map((one) => [one.args[0], one])),
    );
    for (const role of ['api', 'worker']) {
      const service = compose.services[role];
      expect(service?.env_file).toEqual(['.env']);
      const isGiven = (given: string | undefined): boolean => given !== '';
      const inCompose = names.filter((name) => isGiven(service?.environment?.[name]));
      const env = new Map(ofChart.get(role)?.env.map(({ name, value }) => [name, value]));
      expect([role, names.filter((name) => isGiven(env.get(name)))]).toEqual([role, inCompose]);
    }
    expect(names).toContain('STANDFAST_EVIDENCE_KEY');
  });

  test('the Helm chart takes the secrets of each role from a Secret of its own, where one is named', () => {
    const secretsOf = (settings: Record<string, string>): Record<string, unknown> =>
      Object.fromEntries(
        manifestsOf({ ...needed, ...settings })
          .flatMap(({ spec }) => containersOf(spec))
          .map(({ args, envFrom }) => [args[0], envFrom.map(({ secretRef }) => secretRef.name)]),
      );
    const [one, own] = [['standfast-secrets'], (name: string): string[] => [`own-${name}`]];
    expect(secretsOf({})).toEqual({ api: one, worker: one, migrate: one });
    const each = { 'secrets.api': 'own-api', 'secrets.worker': 'own-worker', 'secrets.migrations': 'own-migrate' };
    expect(secretsOf(each)).toEqual({ api: own('api'), worker: own('worker'), migrate: own('migrate') });
  });

  // Promise V24
  test('the Helm chart opens the port of gRPC that its configuration names, with the certificate of a Secret, and none else', () => {
    const rendered = (settings: Record<string, string>, kind: string): string =>
      JSON.stringify(manifestsOf({ ...needed, ...settings }).filter((one) => one.kind === kind));
    for (const kind of ['Deployment', 'Service', 'NetworkPolicy']) expect(rendered({}, kind)).not.toContain('grpc');
    expect(rendered(withGrpc, 'Service')).toContain(
      '{"name":"grpc","port":8643,"targetPort":"grpc","appProtocol":"grpc"}',
    );
    expect(rendered(withGrpc, 'NetworkPolicy')).toContain('"ports":[{"port":"http"},{"port":"grpc"}]');
    const [api, worker] = manifestsOf({ ...needed, ...withGrpc }).filter(({ kind }) => kind === 'Deployment');
    expect(JSON.stringify(api)).toContain('{"name":"grpc","containerPort":8643}');
    expect(JSON.stringify(api)).toContain('{"name":"grpc-tls","mountPath":"/etc/standfast-grpc","readOnly":true}');
    expect(JSON.stringify(api)).toContain('{"secretName":"grpc-tls",');
    expect(JSON.stringify(worker)).not.toContain('grpc');
  });

  test('the Helm chart links each alert to the documents of the installation', () => {
    const [rules] = manifestsOf({ ...needed, ...everything }).filter(({ kind }) => kind === 'PrometheusRule');
    const links = JSON.stringify(rules).match(/"runbook_url":"[^"]*"/g) ?? [];
    expect(links.length).toBeGreaterThan(15);
    for (const link of links) expect(link).toContain('"https://docs.example.com/docs/operate/alerts.md#standfast');
  });

  test.each([
    ['as it comes', needed],
    ['with everything', { ...needed, ...everything }],
  ])('the chart %s runs both roles without rights, with probes and secrets by reference', (_how, settings) => {
    const manifests = manifestsOf(settings);
    const kinds = manifests.map(({ kind }) => kind);
    expect(kinds).toEqual(
      expect.arrayContaining(['Job', 'PodDisruptionBudget', 'HorizontalPodAutoscaler', 'NetworkPolicy']),
    );
    expect(kinds).not.toContain('Secret');
    const roles = manifests.filter(({ kind }) => kind === 'Deployment');
    expect(roles.map(({ metadata }) => metadata.name)).toEqual(['standfast-api', 'standfast-worker']);
    for (const { spec } of roles) {
      const [container] = spec.template.spec.containers;
      expect(spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true });
      expect(container?.securityContext).toMatchObject({
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container?.envFrom).toEqual([{ secretRef: { name: 'standfast-secrets' } }]);
      expect(container?.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'metrics' });
    }
    expect(roles[0]?.spec.template.spec.containers[0]?.readinessProbe.httpGet.path).toBe('/readyz/reads');
    const signs = roles.map(({ spec }) =>
      spec.template.spec.containers[0]?.env.find(({ name }) => name === 'STANDFAST_EVIDENCE_KEY'),
    );
    expect(signs).toEqual([{ name: 'STANDFAST_EVIDENCE_KEY', value: '' }, undefined]);
    const [job] = manifests.filter(({ kind }) => kind === 'Job');
    expect(job?.spec.template.spec.containers[0]?.args).toEqual(['migrate']);
    expect(job?.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
  });

  if (kubeconform === undefined || schemas === undefined)
    console.warn('kubeconform: none; what it says of the manifests is left out');
  else
    test.each([needed, { ...needed, ...everything }, { ...needed, ...withGrpc }])(
      'the Helm chart is what Kubernetes takes, by its own schemas (%#)',
      (settings) => {
        const location = join(schemas, '{{ .ResourceKind }}{{ .KindSuffix }}.json');
        // Of Prometheus' operator, which has schemas of its own.
        const args = ['-strict', '-summary', '-skip', 'PodMonitor,PrometheusRule', '-schema-location', location];
        const summary = execFileSync(kubeconform, args, {
          input: run('template', settings),
          encoding: 'utf8',
          stdio: 'pipe',
        });
        expect(summary).toMatch(/Summary: [1-9]\d* resources found .* Invalid: 0, Errors: 0/);
      },
    );

  test('the Helm chart takes the image by digest where one is given', () => {
    const images = manifestsOf({ ...needed, ...everything })
      .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
      .map(({ spec }) => spec.template.spec.containers[0]?.image);
    expect(new Set(images)).toEqual(new Set([`registry.example.com/standfast@sha256:${'a'.repeat(64)}`]));
  });
});
