import type { AgentHistory } from './tasks/agent-history.ts';
import type { ApiDeps } from './api-deps.ts';
import type { InboxFeed } from './inbox/inbox-feed.ts';
import type { KeyRing } from './auth/keys.ts';
import type { FailedKeys } from './auth/login-limit.ts';
import type { OidcSignIn } from './auth/oidc.ts';
import type { PrometheusMetrics } from './http/prometheus.ts';
import type { Sessions } from './auth/sessions.ts';
import type { Streams } from './http/sse.ts';

/** What routes get: the deps, and what one app makes for itself. */
export interface ApiContext extends ApiDeps {
  streams: Streams;
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
