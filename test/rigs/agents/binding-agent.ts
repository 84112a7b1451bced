// Agents on the SDKs of JavaScript (js/payer.js), Python (python/sdk_agents.py) and Go (frameworks/a2ago), each by one binding of
// A2A: they pay what a person approves, and write down what they executed, which of their pushes were taken, and who joined a task.
import { fileURLToPath } from 'node:url';
import type { CertificatePair } from '../certificates.ts';
import type { Supervisor } from '../process/supervisor.ts';
import { type FrameworkAgent, installedAt, ledgerIn, restartable, shared } from './framework-agent.ts';
import { python } from './python-agent.ts';

export const sdks = ['JavaScript', 'Python', 'Go'] as const;
export type Sdk = (typeof sdks)[number];
export const bindings = ['JSONRPC', 'HTTP+JSON', 'GRPC'] as const;
export type Binding = (typeof bindings)[number];

const pathOf = (program: string): string => fileURLToPath(new URL(program, import.meta.url));
const commands: Record<Sdk, string[]> = {
  JavaScript: [process.execPath, pathOf('./js/payer.js')],
  Python: python === '' ? [] : [python, pathOf('./python/sdk_agents.py'), 'payer'],
  Go: [installedAt('a2ago') ?? []].flat(),
};

export const hasSdk = (sdk: Sdk): boolean => commands[sdk].length > 0;

export interface BindingAgent extends FrameworkAgent {
  /** As `allowOrigins` has to name it: a port of its own. */
  grpcOrigin: string;
}

/** In clear unless `tls` has a certificate; the card of one over gRPC is in clear. */
export async function startBindingAgent(
  supervisor: Supervisor,
  sdk: Sdk,
  binding: Binding,
  tls?: CertificatePair,
): Promise<BindingAgent> {
  const { path, ledger } = await ledgerIn(supervisor);
  const [port, grpcPort] = [await supervisor.freePort(), await supervisor.freePort()];
  const url = `${tls === undefined || binding === 'GRPC' ? 'http' : 'https'}://127.0.0.1:${port}/`;
  const [command = '', ...first] = commands[sdk];
  const secured = tls === undefined ? [] : ['--tls-cert', tls.certFile, '--tls-key', tls.keyFile];
  const restart = await restartable(async () => {
    const started = supervisor.start({
      name: `agent on the SDK for ${sdk} over ${binding}`,
      command,
      args: [...first, '--port', String(port), '--grpc-port', String(grpcPort), '--binding', binding, ...secured],
      env: { ...shared, AGENT_LEDGER: path },
    });
    await started.waitForLine(/ ready http/, 60_000);
    return started;
  });
  return { url, grpcOrigin: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${grpcPort}`, restart, ...ledger };
}
