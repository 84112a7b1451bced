import type { TaskId, ThreadId } from '../../../contract/base/id-types.ts';
import type { Hold, HoldEnd } from '../../../contract/holds/hold.ts';
import type { ShownStatus } from '../../../contract/holds/hold-names.ts';
import type { Question } from '../../../contract/holds/question.ts';
import type { MetricName } from '../../../contract/views/inbox-names.ts';
import type { SearchAliases } from '../../ports/tasks.ts';

/** Who a caller stands in for, since when; null: by the configuration. */
export interface InStead {
  user: string;
  since: string | null;
}

export interface HoldFilter {
  /** Prefix of the hold's id. */
  idPrefix?: string;
  statuses?: ShownStatus[];
  agent?: string;
  taskId?: TaskId;
  threadId?: ThreadId;
  cursor?: string;
  limit?: number;
  /** Only holds that this caller may see: in own threads, or with a matching audience entry; null for all. */
  visibleTo?: { owner: string; entries: string[]; stead?: InStead[] } | null;
  /** Only holds that ask this caller: by one of these audience entries, as `owner`, or claimed by them. */
  askedOf?: { id: string; entries: string[]; stead?: InStead[] };
  kinds?: Hold['question']['kind'][];
  /** Only holds that this caller can decide now; `entries` null: whatever the audience. */
  decidableBy?: { id: string; entries: string[] | null; stead?: InStead[]; askedBy?: 'name' | 'role' };
  /** Search terms, case-insensitive; each must occur in title, message, values, agent, requester or task title. */
  q?: string;
  aliases?: SearchAliases;
  /** Name of the policy that the hold was opened with. */
  policy?: string;
  /** Only holds that this metric counts. */
  metric?: MetricName;
  /** Part of the thread owner's id or name, case-insensitive. */
  requester?: string;
  /** Part of the id or name of who ended the hold, case-insensitive. */
  endedBy?: string;
  ends?: HoldEnd['why'][];
  /** Only holds with a question like this one. */
  alikeTo?: Question;
  /** ISO 8601; `endedFrom` is inclusive, `endedTo` exclusive. */
  endedFrom?: string;
  endedTo?: string;
  /** Only holds asked by an agent (not operator holds) in the last so many milliseconds. */
  askedSinceMs?: number;
  /** Only open holds that expire within so many hours or are overdue. */
  dueWithinHours?: number;
  /** ISO 8601: only holds that are due from the one and before the other; what is never due is due after all of them. */
  dueFrom?: string;
  dueTo?: string;
  /** Default: `newest`. */
  sort?: 'newest' | 'deadline' | 'ended';
}
