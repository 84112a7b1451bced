// The parts of the context that functions of this room take most often, by name.
import type { ApiDeps } from './api-deps.ts';
import type { RunReaders } from './tasks/run-readers.ts';

export type WithStore = Pick<ApiDeps, 'store'>;
export type WithConfig = Pick<ApiDeps, 'config'>;
export type WithClock = Pick<ApiDeps, 'now'>;
export type WithLog = Pick<ApiDeps, 'log'>;
export type WithUrl = Pick<ApiDeps, 'publicUrl'>;

/** Rows, judged by the configuration. */
export type PolicyReads = WithConfig & WithStore;
/** The configuration as it is at this moment. */
export type PolicyTimes = WithConfig & WithClock;
export type PolicyActs = PolicyReads & WithClock;

/** Rows that bear the time at which they are written, or are read as of now. */
export type RowWrites = WithClock & WithStore;
/** Rows that are shown with links to their pages. */
export type ViewReads = RowWrites & WithUrl;
export type PolicyViewReads = ViewReads & WithConfig;

/** Runs, and who may read them. */
export type RunReads = WithStore & { runReaders: RunReaders };
export type RunTimes = RunReads & WithClock;
export type RunViewReads = RunTimes & WithUrl;

/** Executions, and their addresses in Temporal's pages. */
export type TemporalLinks = Pick<ApiDeps, 'tasks' | 'temporalUiUrl'>;
export type TaskReads = TemporalLinks & WithStore;
export type TaskActs = TaskReads & WithClock;

/** Rows with what is sealed in them. */
export type SealedReads = WithStore & Pick<ApiDeps, 'sealer'>;
export type AnswerChecks = SealedReads & Pick<ApiDeps, 'checkAnswer'>;
