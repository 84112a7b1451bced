// Agents that the SDKs of JavaScript, Python and Go serve in TLS by each binding, under a certificate that is known by
// NODE_EXTRA_CA_CERTS alone, over gRPC as over HTTP: a variable of gRPC's own, which many images set, changes nothing.
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { type BindingAgent, bindings, hasSdk, sdks, startBindingAgent } from '../../rigs/agents/binding-agent.ts';
import { makeCertificate } from '../../rigs/certificates.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { longMs } from '../setting.ts';
import { root } from '../../source-tree.ts';

const supervisor = createSupervisor();
afterAll(() => supervisor.end());

const payOnce = fileURLToPath(new URL('../../rigs/agents/pay-once.ts', import.meta.url));

const { certFile: noneFile } = makeCertificate(await supervisor.tempDir('other'), 'other');

/** What a process prints that has it pay; `certFile`: what it knows next to the system's authorities. */
async function paying({ url, grpcOrigin }: BindingAgent, invoice: number, certFile?: string): Promise<string> {
  const started = supervisor.start({
    name: 'a process that has it pay',
    command: process.execPath,
    args: ['--import', 'tsx', payOnce, url, grpcOrigin, String(invoice)],
    cwd: root,
    env: {
      GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: noneFile,
      ...(certFile !== undefined && { NODE_EXTRA_CA_CERTS: certFile }),
    },
  });
  await started.exited;
  return started.output();
}

const each = sdks.filter(hasSdk).flatMap((sdk) => bindings.map((binding) => [sdk, binding] as const));

// Promise B9g
test.each(each)(
  'an agent on the SDK for %s over %s in TLS is asked, and pays once what a person approves',
  async (sdk, binding) => {
    const pair = makeCertificate(await supervisor.tempDir('agents'), 'localhost');
    const agent = await startBindingAgent(supervisor, sdk, binding, pair);
    expect(await paying(agent, 1, pair.certFile)).toContain('["input-required","completed"]');
    expect(await paying(agent, 2)).toMatch(/self.signed/);
    expect(await agent.executed()).toEqual(expect.arrayContaining([[1, 'Miller Ltd']]));
    expect(JSON.stringify(await agent.executed())).not.toContain('[2,');
  },
  3 * longMs,
);
