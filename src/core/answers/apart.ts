// Why a question is answered alone and not together with those like it: for the offer, which the server counts, and for the review.
import type { HoldView } from '../../contract/holds/hold.ts';

/** What of one question alone says so; that it asks for other fields than the others is left to who compares them. */
export type Apart = 'ended' | 'marked' | 'verdict' | 'secret' | 'text';

/** More words are no row that is read at a glance. */
const mostFormChars = 400;

/** Forms that differ in more are no rows that are read at a glance. */
export const mostFormColumns = 6;

/** The parts of a question that say so. */
export type ApartView = Pick<
  HoldView,
  'kind' | 'status' | 'mayDecide' | 'asking' | 'danger' | 'sign' | 'decides' | 'secretPaths' | 'links' | 'message'
> & {
  outgoing: object | null;
  votes: Pick<HoldView['votes'], 'need'>;
  context: Pick<HoldView['context'], 'data' | 'files' | 'artifacts'>;
};

export function whyApart(hold: ApartView): Apart | null {
  const isForm = hold.kind === 'form';
  if (hold.status !== 'open' || !hold.mayDecide || hold.outgoing !== null || hold.asking) return 'ended';
  if (hold.danger || hold.sign !== undefined || (isForm && hold.votes.need > 1)) return 'marked';
  if (hold.decides === null || !(isForm || hold.kind === 'confirmation' || hold.kind === 'tool_call')) return 'verdict';
  if (hold.secretPaths.length > 0) return 'secret';
  // A row of a yes or a no is opened in its place; of a form it shows all there is.
  if (!isForm) return null;
  const { data, files, artifacts } = hold.context;
  // What the agent streamed on its way here is in the conversation, and holds up no single answer either.
  const made = artifacts.filter(({ textLength }) => textLength === undefined);
  const hasMore = data.length + files.length + made.length + hold.links.length > 0;
  return hasMore || hold.message.length > mostFormChars ? 'text' : null;
}
