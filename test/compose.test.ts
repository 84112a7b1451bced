// The images and the compose file as text: no Docker is needed to see that they are pinned, guarded and fit the program.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { refusePublicBind } from '../src/cli/run/settings.ts';
import { loadConfig } from '../src/config/config.ts';
import { read, root } from './source-tree.ts';

interface Service {
  image?: string;
  build?: string;
  ports?: string[];
  environment?: Record<string, string>;
  env_file?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[]; interval: string; timeout: string; retries: number };
  volumes?: string[];
  network_mode?: string;
}

const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};
const services = Object.entries(compose.services);
const service = (name: string): Service => {
  const found = compose.services[name];
  if (found === undefined) throw new Error(`there is no service ${name}`);
  return found;
};
const roles = ['api', 'worker'];
const apiKey = 'a-key-of-at-least-16-characters';

describe('docker-compose.yml', () => {
  test('docker-compose.yml has PostgreSQL, the Temporal server with its UI, api and worker', () => {
    expect(Object.keys(compose.services)).toEqual(
      expect.arrayContaining(['postgres', 'temporal', 'temporal-ui', ...roles]),
    );
  });

  test.each(services)('the service %s runs a pinned image', (_name, { image = '' }) => {
    expect(image).toMatch(/^[a-z0-9/-]+:\d+\.\d+(\.\d+)?(-[a-z0-9.]+)?$/);
  });

  test.each(services)('the service %s has a health check that is bounded', (_name, { healthcheck }) => {
    expect(healthcheck?.test[0]).toMatch(/^CMD/);
    expect(healthcheck).toMatchObject({
      interval: expect.any(String),
      timeout: expect.any(String),
      retries: expect.any(Number),
    });
  });

  test.each(services)('the service %s publishes its ports on loopback only', (_name, { ports = [] }) => {
    expect(ports.filter((port) => !/^127\.0\.0\.1:\d+:\d+$/.test(port))).toEqual([]);
  });

  test('services wait until what they need is healthy', () => {
    for (const [, { depends_on: needs = {} }] of services) {
      for (const [name, { condition }] of Object.entries(needs)) {
        expect(compose.services).toHaveProperty(name);
        expect(condition).toBe('service_healthy');
      }
    }
    for (const role of roles) expect(Object.keys(service(role).depends_on ?? {})).toEqual(['postgres', 'temporal']);
  });

  test('what it mounts is there, and named volumes are declared', () => {
    const sources = services.flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(':', 1)[0] ?? ''));
    for (const source of sources) {
      if (source.startsWith('./')) expect([source, existsSync(join(root, source))]).toEqual([source, true]);
      else expect(compose.volumes).toHaveProperty(source);
    }
  });

  test('no secret is in it, and each that is missing stops it, but the keys of encryption, which is a choice', () => {
    const secrets = services.flatMap(([, { environment = {} }]) =>
      Object.entries(environment).filter(([name]) => /PASSWORD|PWD|KEY$|DATABASE_URL/.test(name)),
    );
    expect(secrets.length).toBeGreaterThan(4);
    for (const [name, value] of secrets.filter(([, one]) => one !== ''))
      expect(value).toMatch(name.startsWith('STANDFAST_CODEC_KEY') ? /^\$\{[A-Z_]+:-\}$/ : /\$\{[A-Z_]+:\?/);
  });

  test('every secret is named in deploy/env.example, without a value', () => {
    const wanted = [...read('docker-compose.yml').matchAll(/\$\{([A-Z_]+)(?::\?|:-\})/g)].map(([, name]) => name);
    const offered = [...read('deploy/env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)];
    expect(new Set(offered.map(([, name]) => name))).toEqual(new Set(wanted));
    expect(offered.filter(([, , value]) => value !== '')).toEqual([]);
  });

  test('the key that signs the evidence reaches the worker alone', () => {
    expect(service('worker').environment).toMatchObject({
      STANDFAST_EVIDENCE_KEY: expect.stringContaining('${STANDFAST_EVIDENCE_KEY:?'),
    });
    // Not missing, since `env_file` would then bring it.
    expect(service('api').environment).toMatchObject({ STANDFAST_EVIDENCE_KEY: '' });
  });

  test('api and worker are given every key of the environment', () => {
    const keys = read('src/host/process/environment.ts').match(/STANDFAST_[A-Z_]*KEY[A-Z_]*/g) ?? [];
    expect(keys.length).toBeGreaterThan(3);
    for (const role of roles)
      expect(Object.keys(service(role).environment ?? {})).toEqual(expect.arrayContaining(keys));
  });

  test('docker-compose.yml mounts the directory of the configuration, since an editor replaces a file and its mount stays the old one', () => {
    for (const role of roles) {
      const [mount = ''] = service(role).volumes ?? [];
      expect(mount).toBe('./deploy/config:/etc/standfast:ro');
      expect(service(role).environment?.['STANDFAST_CONFIG']).toBe('/etc/standfast/standfast.yaml');
    }
  });

  test('docker-compose.yml keeps the signed heads of the evidence on a volume of the worker, which its user may write', () => {
    const loaded = loadConfig({ path: join(root, 'deploy/config/standfast.yaml'), env: { STANDFAST_API_KEY: apiKey } });
    const file = loaded.ok ? (loaded.config.evidence.file ?? '') : '';
    const [volume = '', directory = ''] = (service('worker').volumes?.at(-1) ?? '').split(':');
    expect(compose.volumes).toHaveProperty(volume);
    expect(dirname(file)).toBe(directory);
    expect(read('Dockerfile')).toContain(`chown node:node ${directory}`);
  });

  test('docker-compose.yml hands api and worker every variable of .env, so that the configuration may name it', () => {
    for (const role of roles) expect(service(role).env_file).toEqual(['.env']);
  });

  test('docker-compose.yml judges a worker by its own health, on a port that is not published', () => {
    const { healthcheck, environment, ports } = service('worker');
    expect(healthcheck?.test.join(' ')).toContain(`127.0.0.1:${environment?.['STANDFAST_METRICS_PORT']}/healthz`);
    expect(ports).toBeUndefined();
    expect(service('api').ports).toEqual(['127.0.0.1:8600:8600', '127.0.0.1:8643:8643']);
  });

  test('api and worker are given only variables that the program or its configuration reads', () => {
    const known = `${read('src/host/process/environment.ts')}\n${read('deploy/config/standfast.yaml')}`;
    for (const role of roles) {
      const unknown = Object.keys(service(role).environment ?? {}).filter((name) => !known.includes(name));
      expect(unknown).toEqual([]);
    }
  });

  test('Temporal and Standfast have databases and users of their own', () => {
    const script = read('deploy/postgres/10-databases.sh');
    const temporal = service('temporal').environment ?? {};
    for (const database of [temporal['DBNAME'], temporal['VISIBILITY_DBNAME']]) {
      expect(script).toContain(`create database ${database} owner ${temporal['POSTGRES_USER']};`);
    }
    for (const role of roles) {
      const url = new URL((service(role).environment?.['DATABASE_URL'] ?? '').replace(/\$\{[^}]*\}/, 'x'));
      expect(script).toContain(`create database ${url.pathname.slice(1)} owner ${url.username};`);
    }
  });

  test('docker-compose.yml runs the same Temporal server, with the same settings, as standfast up', () => {
    const version = /server (\d+\.\d+\.\d+)/.exec(read('src/host/temporal/temporal-cli.ts'))?.[1];
    expect(service('temporal').image).toBe(`temporalio/auto-setup:${version}`);
    expect(read('scripts/temporal-server.mjs')).toContain(`serverVersion = '${version}'`);
    const embedded = /const dynamicConfig = \{([^}]*)\}/.exec(read('src/host/temporal/temporal-server.ts'))?.[1] ?? '';
    const settings = [...embedded.matchAll(/'([^']+)': '([^']+)'/g)].map(([, name, value]) => [name, value]);
    expect(settings.length).toBeGreaterThan(3);
    const file = parse(read('deploy/temporal/dynamic-config.yaml')) as Record<string, { value: unknown }[]>;
    const written = Object.entries(file).map(([name, [entry]]) => [name, String(entry?.value)]);
    expect(written).toEqual(expect.arrayContaining(settings));
  });
});

describe('deploy/config/standfast.yaml', () => {
  const path = join(root, 'deploy/config/standfast.yaml');

  test('deploy/config/standfast.yaml is valid, and with its key it may listen where others can connect', () => {
    const loaded = loadConfig({ path, env: { STANDFAST_API_KEY: apiKey } });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    expect(loaded.config.server.host).toBe('0.0.0.0');
    expect(() => refusePublicBind(loaded.config.server.host, loaded.config)).not.toThrow();
  });

  test('deploy/config/standfast.yaml is refused without the key it names', () => {
    expect(loadConfig({ path, env: {} })).toMatchObject({ ok: false });
  });
});

describe('the Dockerfile', () => {
  const lines = read('Dockerfile').replaceAll(/\\\n/g, ' ').split('\n');
  const from = lines.filter((line) => line.startsWith('FROM '));
  const copies = lines.filter((line) => line.startsWith('COPY ') && !line.includes('--from='));
  const sources = copies.flatMap((line) => line.split(/\s+/).slice(1, -1));

  test('the Dockerfile builds and runs on one pinned Node, of a version the program supports', () => {
    expect(new Set(from.map((line) => line.split(' ')[1])).size).toBe(1);
    expect(from[0]).toMatch(/^FROM node:24\.\d+\.\d+-bookworm-slim\b/);
  });

  test('the Dockerfile copies only what is there and what .dockerignore lets through', () => {
    const passing = read('.dockerignore')
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
    expect(sources.length).toBeGreaterThan(8);
    expect(sources.filter((source) => !existsSync(join(root, source)))).toEqual([]);
    expect(sources.filter((source) => !passing.includes(source))).toEqual([]);
    expect(passing.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('the Dockerfile installs by the lock file, leaves development behind and does not run as root', () => {
    const text = read('Dockerfile');
    expect(text).toMatch(/RUN npm ci\b/);
    expect(text).toMatch(/^COPY --from=build \/runtime\/node_modules node_modules$/m);
    const users = lines.filter((line) => line.startsWith('USER '));
    expect(users).toEqual(['USER node']);
    expect(lines.indexOf('USER node')).toBeLessThan(lines.findIndex((line) => line.startsWith('ENTRYPOINT')));
  });

  test('the Dockerfile starts the program that the build makes, with the settings and flags of its first line', () => {
    const { bin } = JSON.parse(read('package.json')) as { bin: { standfast: string } };
    const [, setting = '', flags = ''] =
      /^#!\/usr\/bin\/env -S (\w+=\w+) node (.*)$/m.exec(read('src/cli/main.ts')) ?? [];
    expect(lines.find((line) => line.startsWith('ENV '))).toContain(` ${setting}`);
    expect(setting).toBe('MALLOC_ARENA_MAX=2');
    const started = ['node', ...flags.split(' '), bin.standfast].map((word) => JSON.stringify(word));
    expect(read('Dockerfile')).toContain(`ENTRYPOINT [${started.join(', ')}]`);
  });

  // Promise ST5
  test('the image and a package of npm pack hold the whole build with its bundle, and what that opens next to it', () => {
    const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
    const copied = last.flatMap((line) => {
      const [, froms] = /^COPY (?:--from=build )?(.*) \S+$/.exec(line) ?? [];
      return (froms ?? '').split(' ').map((path) => path.replace(/^\/(app|runtime)\//, ''));
    });
    const { files } = JSON.parse(read('package.json')) as { files: string[] };
    const opened = files.filter((path) => /^(dist|drizzle|examples)/.test(path));
    expect(opened.length).toBeGreaterThan(6);
    expect(copied).toEqual(expect.arrayContaining([...opened, 'node_modules', 'package.json']));
    // npm packs these whatever is listed, and installs the dependencies again.
    const always = ['package.json', 'LICENSE', 'node_modules', ''];
    expect(copied.filter((path) => !always.includes(path) && !files.includes(path))).toEqual([]);
  });
});
