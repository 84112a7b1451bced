import type { AgentHistory } from './tasks/agent-history.ts';
import type { ApiDeps } from './api-deps.ts';
import type { InboxFeed } from './inbox/inbox-feed.ts';
import type { KeyRing } from './auth/keys.ts';
import type { FailedKeys } from './auth/login-limit.ts';
import type { OidcSignIn } from './auth/oidc.ts';
import type { PrometheusMetrics } from './http/prometheus.ts';
import type { ReadinessWatch } from './operate/readiness.ts';
import type { StartGate } from './runs/start-gate.ts';
import type { Sessions } from './auth/sessions.ts';
import type { StreamCallers } from './auth/stream-callers.ts';
import type { RunReaders } from './tasks/run-readers.ts';
import type { Streams } from './http/sse.ts';

/** What routes get: the dependencies, and what an app creates for itself. */
export interface ApiContext extends ApiDeps {
  streams: Streams;
  starts: StartGate;
  readiness: ReadinessWatch;
  /** The callers of open streams and waits, with their credentials. */
  callers: StreamCallers;
  runReaders: RunReaders;
  metrics: PrometheusMetrics;
  keys: KeyRing;
  failedKeys: FailedKeys;
  oidc: OidcSignIn | null;
  sessions: Sessions;
  inbox: InboxFeed;
  history: AgentHistory;
  /** Names the pages as they are served now; '' without pages. */
  build: string;
}
