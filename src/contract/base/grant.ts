import { z } from 'zod';
import { plainText } from './text-schemas.ts';
import type { HoldId } from './id-types.ts';
import type { JsonObject } from './json.ts';

/** Which calls need not be asked about any more; every author of the grant has given exactly this. */
export interface GrantTerms {
  agent: string;
  tool: string;
  policy: string;
  /** As they were approved: equal, but for what `ranges` compare. */
  args: JsonObject;
  /** Comparisons of a rule, `amount <= 500`; all must hold. */
  ranges: string[];
  /** How many calls at most. */
  times: number;
  /** The sum over all calls of the argument at this path, at most. */
  sum: { of: string; most: number } | null;
  /** ISO time. */
  until: string;
  /** Of so many calls one is asked about all the same. */
  recheck: number;
  /** How many persons must have given it. */
  need: number;
}

/** That a person gave it; made by the api that knew them. */
export interface Granter {
  by: string;
  /** Entries of the audience by which they were asked. */
  as: string[];
  at: string;
  credential: string | null;
  /** The back end that gave it in the name of `by`; null: they did themselves. */
  actor: string | null;
  /** HMAC-SHA-256 over the terms and this, base64url. */
  mac: string;
}

/** A grant with what proves it. */
export interface ProvenGrant {
  id: string;
  /** The approval that it was made of. */
  hold: HoldId;
  terms: GrantTerms;
  given: Granter[];
}

/** `no`: an approver refused as one call was asked about all the same. */
export const grantEnds = ['revoked', 'no'] as const;

export interface GrantRow extends ProvenGrant {
  createdAt: string;
  ended: { by: string; at: string; why: (typeof grantEnds)[number] } | null;
  used: GrantUsed;
  /** That a process of Standfast counted this; null: it has ended, and answers nothing more. */
  usedMac: string | null;
}

/** What was done under a grant so far; `seen` counts those that were asked all the same. */
export interface GrantUsed {
  times: number;
  sum: number;
  seen: number;
  /** How many that were asked all the same ended without the word of a person: so many of the next are asked; missing: none. */
  owed?: number;
}

export const grantStates = ['proposed', 'active', 'used-up', 'over', 'ended'] as const;

/** A grant that was given with a yes, before that was sent: the call of its terms is the one that the yes approves. */
export interface GrantWithYes {
  terms: Pick<GrantTerms, 'ranges' | 'times' | 'sum' | 'until' | 'recheck' | 'need'>;
  given: Granter;
}

const rangeText = z.string().min(1).max(200);

/** How widely calls are granted; what is missing is as wide as the policy allows. */
export const GrantScopeSchema = z
  .object({
    ranges: z.array(rangeText).max(20).optional(),
    times: z.int().min(1).optional(),
    sum: z.number().positive().optional(),
    until: z.iso.datetime({ offset: true }).optional(),
  })
  .meta({ id: 'GrantScope' });
export type GrantScope = z.infer<typeof GrantScopeSchema>;

/** Body of `POST /api/grants`. */
export const GrantBodySchema = GrantScopeSchema.extend({ hold: plainText(100) }).meta({ id: 'GrantBody' });

export const GrantViewSchema = z
  .object({
    id: z.string(),
    state: z.enum(grantStates),
    agent: z.string(),
    tool: z.string(),
    policy: z.string(),
    args: z.record(z.string(), z.unknown()),
    ranges: z.array(z.string()),
    /** The approval that it was made of. */
    hold: z.string(),
    by: z.array(z.object({ by: z.string(), at: z.string(), actor: z.string().nullable() })),
    /** How many persons must give it. */
    need: z.number(),
    until: z.string(),
    times: z.object({ used: z.number(), most: z.number() }),
    sum: z.object({ of: z.string(), used: z.number(), most: z.number() }).nullable(),
    /** Of so many calls one is asked about all the same. */
    recheck: z.number(),
    ended: z.object({ by: z.string(), at: z.string(), why: z.enum(grantEnds) }).nullable(),
    /** The caller may give it as well, or end it. */
    mayGive: z.boolean(),
    mayRevoke: z.boolean(),
  })
  .meta({ id: 'Grant' });
export type GrantView = z.infer<typeof GrantViewSchema>;
