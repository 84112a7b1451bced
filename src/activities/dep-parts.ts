// The dependencies that functions of this room take most often, by name.
import type { ActivityDeps } from './deps.ts';

export type WithStore = Pick<ActivityDeps, 'store'>;
export type WithConfig = Pick<ActivityDeps, 'config'>;
export type WithClock = Pick<ActivityDeps, 'now'>;
export type WithTiming = Pick<ActivityDeps, 'timing'>;
export type WithLog = Pick<ActivityDeps, 'log'>;
export type WithUrl = Pick<ActivityDeps, 'publicUrl'>;
export type WithSchemas = Pick<ActivityDeps, 'checkSchema'>;

/** Rows, judged by the configuration. */
export type PolicyReads = WithConfig & WithStore;
export type PolicyActs = PolicyReads & WithClock;
/** The configuration with working hours as they are at this moment. */
export type PolicyTimes = WithConfig & WithClock & Pick<ActivityDeps, 'windowsOf'>;

/** For proofs, which bear their time. */
export type Proving = WithClock & Pick<ActivityDeps, 'prover'>;
/** For what operators read: the log and metrics. */
export type Reports = WithLog & Pick<ActivityDeps, 'metrics'>;
