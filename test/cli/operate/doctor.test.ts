import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { doctor, type Finding } from '../../../src/cli/operate/doctor.ts';
import { adkIntegration, kagentHitl } from '../../../src/core/questions/agent-dialects.ts';
import { choosePort } from '../../../src/host/net/free-port.ts';

let before: NodeJS.ProcessEnv;
beforeEach(() => void (before = { ...process.env }));
afterEach(() => {
  process.env = before;
  process.exitCode = undefined;
});

async function found(config?: string): Promise<Finding[]> {
  let out = '';
  const spy = jest.spyOn(process.stdout, 'write').mockImplementation((words) => ((out += String(words)), true));
  try {
    await doctor({ json: true, ...(config === undefined ? {} : { config }) });
  } finally {
    spy.mockRestore();
  }
  return JSON.parse(out) as Finding[];
}

describe('holdpoint doctor', () => {
  test('reports a Temporal and a database that do not answer, with their addresses, and ends with 1', async () => {
    const port = await choosePort([]);
    process.env['TEMPORAL_ADDRESS'] = `127.0.0.1:${port}`;
    process.env['DATABASE_URL'] = `postgres://me:hush@127.0.0.1:${port}/holdpoint`;
    const findings = await found();
    expect(findings.map(({ what, isOk }) => [what, isOk])).toEqual([
      ['node', true],
      ['configuration', true],
      // Its search attributes are not spoken of: what to do about them is not known yet.
      ['temporal', false],
      ['database', false],
    ]);
    const words = new Map(findings.map((finding) => [finding.what, finding.text]));
    expect(words.get('temporal')).toBe(
      `it does not answer — check TEMPORAL_ADDRESS=127.0.0.1:${port} and the namespace default`,
    );
    expect(words.get('database')).toContain(`127.0.0.1:${port}/holdpoint cannot be reached`);
    expect(JSON.stringify(findings)).not.toContain('hush');
    expect(process.exitCode).toBe(1);
  });

  test('says by which dialects an agent asks, as its card and the configuration tell', async () => {
    const cards: Record<string, object> = {
      '/adk': { name: 'desk', skills: [{ id: 'desk', name: 'model', tags: ['llm'] }] },
      '/kagent': { name: 'k8s', capabilities: { extensions: [{ uri: kagentHitl }], streaming: true } },
      '/bare': { name: 'bare' },
    };
    const server = createServer(({ url = '' }, response) => {
      const card = cards[url.replace('/.well-known/agent-card.json', '')];
      const address = `http://127.0.0.1:${portOf(server)}${url}`;
      const supportedInterfaces = [{ url: address, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...card, supportedInterfaces }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const dir = await mkdtemp(join(tmpdir(), 'doctor-'));
    try {
      const base = `http://127.0.0.1:${portOf(server)}`;
      const config = join(dir, 'holdpoint.yaml');
      const names = ['adk', 'kagent', 'bare'].map((name) => `  ${name}: { url: '${base}/${name}/' }`);
      const yaml = `  told: { url: '${base}/bare/', extensions: ['${adkIntegration}'] }`;
      await writeFile(config, `agents:\n${[...names, yaml].join('\n')}\n`);
      process.env['TEMPORAL_ADDRESS'] = `127.0.0.1:${await choosePort([])}`;
      const words = new Map((await found(config)).map((finding) => [finding.what, finding.text]));
      expect(words.get('agent adk')).toBe('desk (does not stream: it will be polled; asks by adk, forms, words)');
      expect(words.get('agent kagent')).toBe('k8s (streams; asks by kagent.hitl, forms, words)');
      expect(words.get('agent bare')).toContain('asks by forms, words)');
      expect(words.get('agent told')).toContain('asks by adk, forms, words)');
    } finally {
      server.close();
      await rm(dir, { recursive: true });
    }
  });
});

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  return address.port;
}
