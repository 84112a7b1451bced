import type { AgentHistory } from './agent-history.ts';
import type { ApiDeps } from './api-deps.ts';
import type { InboxFeed } from './inbox-feed.ts';
import type { KeyRing } from './keys.ts';
import type { PrometheusMetrics } from './metrics.ts';
import type { Sessions } from './sessions.ts';
import type { Streams } from './sse.ts';

/** What routes get: the deps, and what one app makes for itself. */
export interface ApiContext extends ApiDeps {
  streams: Streams;
  metrics: PrometheusMetrics;
  keys: KeyRing;
  sessions: Sessions;
  inbox: InboxFeed;
  history: AgentHistory;
  /** Names the pages as they are served now; '' without pages. */
  build: string;
}
