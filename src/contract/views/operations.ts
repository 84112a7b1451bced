// How the installation runs, over all workers.
import { z } from 'zod';
import { levelNames } from '../base/service-level-names.ts';
import { circuitStates } from '../tasks/circuit-states.ts';
import { stuckCauses } from '../tasks/task.ts';

const LevelSchema = z.object({
  total: z.number(),
  late: z.number(),
  /** 99 of 100 took no longer, in seconds, rounded up to a bound; null: none was counted, or they took longer than all. */
  p99: z.number().nullable(),
});
const windows = { hour: LevelSchema, day: LevelSchema };

/** Answer of `GET /api/operations`. */
export const OperationsSchema = z
  .object({
    /** With a heartbeat within 30 s. */
    workers: z.number(),
    /** The part that is to be in time. */
    objective: z.number(),
    /** Of the last hour and the last day, as the workers that run now counted them. */
    levels: z.array(
      z.object({
        level: z.enum(levelNames),
        withinSeconds: z.number(),
        ...windows,
        /** By policy and channel, policy, or agent. */
        of: z.array(z.object({ names: z.array(z.string()), ...windows })),
      }),
    ),
    slots: z.object({
      total: z.number(),
      agents: z.array(z.object({ agent: z.string(), sending: z.number(), answering: z.number(), silent: z.number() })),
    }),
    /** Agents that take no messages, or to which those that waited are on their way. */
    circuits: z.array(
      z.object({
        agent: z.string(),
        since: z.string(),
        state: z.enum(circuitStates),
        cause: z.string(),
        waiting: z.number(),
      }),
    ),
    /** Open tasks that do not go on. */
    stuck: z.array(z.object({ cause: z.enum(stuckCauses), tasks: z.number(), oldestMs: z.number() })),
    /** Runs that were kept and have not begun. */
    runs: z.object({ waiting: z.number(), oldestMs: z.number() }),
  })
  .meta({ id: 'Operations' });
export type Operations = z.infer<typeof OperationsSchema>;
