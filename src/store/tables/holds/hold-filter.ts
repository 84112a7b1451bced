// What a list of holds is narrowed by.
import type { Hold, HoldEnd } from '../../../contract/holds/hold.ts';
import type { MetricName } from '../../../contract/views/inbox.ts';
import type { SearchAliases } from '../../ports/tasks.ts';

export interface HoldFilter {
  /** How the hold's id begins. */
  idPrefix?: string;
  statuses?: Hold['status'][];
  agent?: string;
  taskId?: string;
  threadId?: string;
  cursor?: string;
  limit?: number;
  /** Only holds this caller may see: own threads, or audience entries they match (null: all). */
  visibleTo?: { owner: string; entries: string[] } | null;
  /** Only holds asked of this caller: by one of these entries, as `owner` of their own threads, or claimed by them. */
  askedOf?: { id: string; entries: string[] };
  kinds?: Hold['question']['kind'][];
  /** Only what this caller can decide now: asked (`entries`; null: of everything), no vote of theirs, claimed by nobody else. */
  decidableBy?: { id: string; entries: string[] | null; names: string[]; askedBy?: 'name' | 'role' };
  /** Words that all occur in title, text, values, agent, requester or task, case ignored. */
  q?: string;
  /** By which names agents and people are searched in addition to their own. */
  aliases?: SearchAliases;
  /** By the policy they were opened with. */
  policy?: string;
  /** Only what this figure counts. */
  metric?: MetricName;
  /** Part of the id or name of whoever opened the thread, case ignored. */
  requester?: string;
  /** Part of the id or name of who ended it, case ignored. */
  endedBy?: string;
  /** How it ended, and when: from this moment on, and before that one (ISO). */
  ends?: HoldEnd['why'][];
  endedFrom?: string;
  endedTo?: string;
  /** Only what metrics over the last so many milliseconds count: opened since, and asked by an agent. */
  askedSinceMs?: number;
  /** Only open ones whose time ends within so many hours from now, or is over already. */
  dueWithinHours?: number;
  /** Default `newest`. */
  sort?: 'newest' | 'deadline' | 'ended';
}
