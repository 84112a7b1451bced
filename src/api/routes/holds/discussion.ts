// What those who may decide a question say to each other, and when one of them wants to be reminded of it.
import { z } from 'zod';
import { CommentsSchema, maxComments, HoldViewSchema, type HoldView } from '../../../contract/holds/hold.ts';
import { plainText } from '../../../contract/base/text-schemas.ts';
import type { Principal } from '../../../contract/base/principal.ts';
import { HoldpointError } from '../../../core/base/errors.ts';
import type { HoldRow } from '../../../store/store.ts';
import { route, type ApiApp } from '../../http/route.ts';
import type { ApiContext } from '../../api-context.ts';
import { findOpenHold } from '../../holds/amend-hold.ts';
import { findHold } from '../../holds/find-hold.ts';
import { discussersOf, mayDiscuss, mentionsIn, notifyMentioned } from '../../holds/mentions.ts';
import { IdParamsSchema } from '../../http/query-params.ts';
import { readHoldView } from './holds.ts';

const CommentBodySchema = z.object({ text: plainText(4000) }).meta({ id: 'CommentBody' });
const SnoozeBodySchema = z.object({ until: z.iso.datetime({ offset: true }) }).meta({ id: 'SnoozeBody' });
const longestMs = 366 * 86_400_000;

export function discussionRoutes(app: ApiApp, api: ApiContext): void {
  const { store } = api;

  async function discussed(id: string, principal: Principal): Promise<HoldRow> {
    const hold = await findHold(api, id, principal);
    if (mayDiscuss(hold, principal)) return hold;
    throw new HoldpointError('forbidden', 'only who may decide a question, and operators, see its discussion');
  }

  const read = async (hold: HoldRow, { id }: Principal): Promise<z.infer<typeof CommentsSchema>> => ({
    items: (await store.comments.ofHold(hold.holdId)).map(({ commentId, at, by, text, mentions }) => ({
      id: commentId,
      at,
      by,
      text,
      mentions,
    })),
    people: discussersOf(api, hold, id),
  });

  app.get(
    '/api/holds/:id/comments',
    route('caller', 'holds', {
      summary: 'Comments of those who may decide a question; the agent never gets them',
      params: IdParamsSchema,
      response: { 200: CommentsSchema },
    }),
    async ({ params, principal }) => read(await discussed(params.id, principal), principal),
  );

  app.post(
    '/api/holds/:id/comments',
    route('caller', 'holds', {
      summary: 'Say something to the others who may decide it',
      description:
        'Kept with the question, also when the agent asks it again, and never sent to the agent. `@name` tells that person by their channels (`mentioned`), if they may decide it or are an operator.',
      params: IdParamsSchema,
      body: CommentBodySchema,
      response: { 200: CommentsSchema },
    }),
    async ({ params, body, principal }) => {
      const hold = await discussed(params.id, principal);
      const text = body.text.trim();
      if (text === '') throw new HoldpointError('input_invalid', 'text: say something');
      const { holdId } = hold;
      // One that is kept and never shown would be lost without a word.
      if ((await store.comments.ofHold(holdId)).length >= maxComments)
        throw new HoldpointError('input_invalid', `text: a question takes at most ${maxComments} comments`);
      const mentions = mentionsIn(text, discussersOf(api, hold, principal.id));
      const comment = await store.tx(async (tables) => {
        const added = await tables.comments.add({ holdId, by: principal.id, text, mentions });
        await tables.holds.touch([holdId]);
        return added;
      });
      await notifyMentioned(api, hold, comment);
      return read(hold, principal);
    },
  );

  async function snoozed(id: string, principal: Principal, until: string | null): Promise<HoldView> {
    const hold = await findOpenHold(api, id, principal);
    if (principal.kind === 'agent')
      throw new HoldpointError('not_allowed_to_decide', 'an agent’s key decides nothing, and so puts nothing off');
    const { holdId } = hold;
    await store.tx(async (tables) => {
      if (until === null) await tables.snoozes.remove(holdId, principal.id);
      else await tables.snoozes.put({ holdId, principal: principal.id, until });
      await tables.holds.touch([holdId]);
    });
    return readHoldView(api, (await store.holds.get(holdId)) ?? hold, principal);
  }

  app.put(
    '/api/holds/:id/snooze',
    route('caller', 'holds', {
      summary: 'Be reminded of a question later: it leaves one’s own “For me” until then',
      description: 'One’s own alone: its deadline, its ladder and everybody else’s view stay as they are.',
      params: IdParamsSchema,
      body: SnoozeBodySchema,
      response: { 200: HoldViewSchema },
    }),
    async ({ params, body, principal }) => {
      const untilMs = Date.parse(body.until);
      const aheadMs = untilMs - api.now().getTime();
      if (aheadMs <= 0 || aheadMs > longestMs)
        throw new HoldpointError('input_invalid', 'until: name a time to come, within a year');
      return snoozed(params.id, principal, new Date(untilMs).toISOString());
    },
  );

  app.delete(
    '/api/holds/:id/snooze',
    route('caller', 'holds', {
      summary: 'See a question again at once',
      params: IdParamsSchema,
      response: { 200: HoldViewSchema },
    }),
    async ({ params, principal }) => snoozed(params.id, principal, null),
  );
}
