// What a client of MCP gets while people are asked: progress with the page, or the page to open.
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Principal } from '../../contract/base/principal.ts';
import { pageOfAsk, type AskingApi } from '../ask/ask-people.ts';

const progressEveryMs = 10_000;

/** Who asked, and may see the page. */
interface Asker {
  api: AskingApi;
  principal: Principal;
}

/** Clients give up a silent call after a minute: progress keeps them waiting, where they asked for it. */
export function reportProgress({ api, principal }: Asker, id: string, { mcpReq }: ServerContext): () => void {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return () => undefined;
  let progress = 0;
  let link = '';
  const report = (): void => {
    progress += 1;
    const params = { progressToken: token, progress, message: `waiting for people (id ${id})${link}` };
    void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  report();
  const over = new AbortController();
  void pageOfAsk(api, id, principal, over.signal)
    .then((url) => {
      if (url === null || over.signal.aborted) return;
      link = `: ${url}`;
      report();
    })
    .catch(() => undefined);
  const timer = setInterval(report, progressEveryMs);
  return () => {
    over.abort();
    clearInterval(timer);
  };
}

/** The page where a question is answered, for the person in front of the client: they sign in there as themselves. */
export class PageToOpen {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  constructor(id: string, title: string, url: string) {
    this.id = id;
    this.title = title;
    this.url = url;
  }
}

/** The client opens the page if its user wants that, and calls again with the question's id as its state. */
export const pageRequest = ({ id, title, url }: PageToOpen): InputRequiredResult =>
  inputRequired({
    inputRequests: {
      page: inputRequired.elicitUrl({ message: `${title}: those who are asked answer on this page.`, url }),
    },
    requestState: id,
  });

/** What a client says of itself that shows addresses: of its capabilities, which came as JSON. */
const PageCapabilitySchema = z.object({ elicitation: z.object({ url: z.object({}) }) });

/** The client of this call shows addresses to its user, and has not shown this question's yet. */
export function opensPages({ mcpReq }: ServerContext, waitSeconds: number | undefined): boolean {
  const envelope: Record<string, unknown> = { ...mcpReq.envelope };
  const read = PageCapabilitySchema.safeParse(envelope[CLIENT_CAPABILITIES_META_KEY]);
  return read.success && waitSeconds !== 0 && stateOf({ mcpReq }) === undefined;
}

/** The id of the question whose page was shown. It is checked as an id that was given: it names only the caller's own. */
export const stateOf = ({ mcpReq }: Pick<ServerContext, 'mcpReq'>): string | undefined => mcpReq.requestState<string>();
