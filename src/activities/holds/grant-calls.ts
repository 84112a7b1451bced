// Calls within a standing grant are not asked about: all questions of a pause, or none of it.
import type { Attachment } from '../../contract/holds/attachment.ts';
import type { OpenHoldsInput } from '../../contract/tasks/activity.ts';
import type { GrantRow } from '../../contract/base/grant.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import type { TaskRef } from '../../contract/tasks/task.ts';
import type { Policy } from '../../contract/configuration/policy.ts';
import {
  amountOf,
  type Call,
  callOf,
  isOfRequester,
  isRechecked,
  whyOutside,
  whyTooWide,
  whyUnproven,
} from '../../core/consent/grants.ts';
import { askerOf } from '../../core/base/asker.ts';
import type { GrantUse } from '../../store/ports/grants.ts';
import type { PolicyReads, Proving } from '../dep-parts.ts';
import { ownEntry } from '../../core/base/own-entry.ts';

export type GrantDeps = PolicyReads & Proving;

/** The planned questions; those of a pause whose calls all are within grants carry them. */
export async function withGrants(
  deps: GrantDeps,
  { task }: Pick<OpenHoldsInput, 'task'>,
  planned: Hold[],
  attachments: readonly Attachment[],
): Promise<Hold[]> {
  const calls = planned.map((hold) => grantable(deps, task, { ...hold, attachments }));
  if (!calls.some((call) => call !== null)) return planned;
  const marked: Hold[] = [];
  for (const [at, hold] of planned.entries()) {
    const call = calls[at] ?? null;
    marked.push(call === null ? hold : await markedBy(deps, hold, call));
  }
  if (marked.every(({ plan }) => plan.grant !== undefined)) return marked;
  return Promise.all(marked.map((hold) => askedAfterAll(deps, hold)));
}

interface Grantable extends Call {
  allowed: NonNullable<Policy['grants']>;
  owner: string;
}

function grantable(
  { config }: GrantDeps,
  { agent, owner }: TaskRef,
  { question, plan, attachments }: Hold & { attachments: readonly Attachment[] },
): Grantable | null {
  // It takes the place of one that is asked about all the same: people were not through with that.
  if (plan.recheck !== undefined) return null;
  const { policy } = plan;
  const allowed = ownEntry(config.policies, policy)?.grants;
  if (allowed === undefined) return null;
  const call = callOf({ agent: askerOf({ agent, owner }), policy, question, attachments });
  return call && { ...call, allowed, owner };
}

/** By the first grant that it is within. */
async function markedBy(deps: GrantDeps, hold: Hold, call: Grantable): Promise<Hold> {
  const { prover, store } = deps;
  for (const { id, ...grant } of await store.grants.ofCall(call.agent, call.tool)) {
    const use = await store.grants.use(id, hold.holdId, prover, (row) =>
      useOf(deps, call, { grant: row, plan: hold.plan }),
    );
    if (use?.isAsked === true) return { ...hold, plan: { ...hold.plan, recheck: id } };
    const { hold: from, terms, given } = grant;
    if (use !== null) return { ...hold, plan: { ...hold.plan, grant: { id, hold: from, terms, given } } };
  }
  return hold;
}

interface Using {
  grant: GrantRow;
  plan: Hold['plan'];
}

function useOf({ prover, now }: GrantDeps, { allowed, owner, ...call }: Grantable, { grant, plan }: Using): GrantUse {
  if (isOfRequester(grant, { owner, plan })) return null;
  const at = now().toISOString();
  const { terms, given, used } = grant;
  // As proved: when a row was written is not.
  const givenAt = given[0]?.at ?? at;
  const why = whyUnproven(prover, grant) ?? whyTooWide(allowed, terms, givenAt) ?? whyOutside(terms, call, used, at);
  if (why !== null) return null;
  const amount = terms.sum === null ? 0 : (amountOf(terms.sum.of, call.args) ?? 0);
  return { isAsked: isRechecked(terms, used), amount };
}

async function askedAfterAll({ store, prover }: GrantDeps, hold: Hold): Promise<Hold> {
  const { grant, ...plan } = hold.plan;
  if (grant === undefined) return hold;
  await store.grants.unuse(grant.id, hold.holdId, prover);
  return { ...hold, plan };
}
