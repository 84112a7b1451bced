import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { version } from '../../host/process/version.ts';

/** A registry of its own for each role, with the process's metrics and `standfast_build_info`. */
export function createRegistry(role: 'api' | 'worker' | 'up'): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'standfast_build_info',
    help: 'Always 1; the labels say which build runs, as which role.',
    labelNames: ['version', 'node', 'role'],
    registers: [registry],
  }).set({ version, node: process.versions.node, role }, 1);
  return registry;
}
