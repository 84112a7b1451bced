import type { Config } from '../../contract/config.ts';
import type { TaskStart } from '../../contract/run.ts';
import { durationMs } from '../../core/policy/duration.ts';

/** How long an agent may be silent, and may work in all. */
export function limitsOf({ agents }: Config, agent: string): TaskStart['limits'] {
  const { silence, total } = (Object.hasOwn(agents, agent) ? agents[agent]?.limits : undefined) ?? {};
  return {
    silenceMs: silence === undefined ? null : durationMs(silence),
    totalMs: total === undefined ? null : durationMs(total),
  };
}
