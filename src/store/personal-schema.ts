import { boolean, doublePrecision, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { Granter, GrantRow, GrantTerms, GrantUsed } from '../contract/base/grant.ts';
import type { HoldId } from '../contract/base/id-types.ts';
import type { JsonObject } from '../contract/base/json.ts';
import type { Principal } from '../contract/base/principal.ts';
import { instant, json, writtenAt } from './columns.ts';
import type { PersonalRow } from './ports/personal.ts';
import { sealedJson } from './sealed-columns.ts';

/** What people have set for themselves, and where they are reached. */
export const personal = pgTable(
  'personal',
  {
    user: text('for_user').notNull(),
    kind: text().$type<PersonalRow['kind']>().notNull(),
    name: text().notNull(),
    value: sealedJson('personal.value').$type<JsonObject>().notNull(),
    savedAt: writtenAt('saved_at'),
  },
  (t) => [primaryKey({ columns: [t.user, t.kind, t.name] }), index('personal_by_kind').on(t.kind)],
);

export const sessions = pgTable(
  'sessions',
  {
    tokenHash: text('token_hash').primaryKey(),
    principal: json().$type<Principal>().notNull(),
    keyHash: text('key_hash'),
    subject: text(),
    sid: text(),
    endsBy: instant('ends_by'),
    expiresAt: instant('expires_at').notNull(),
    /** That an api opened it. */
    mac: text().notNull(),
  },
  (t) => [index('sessions_by_end').on(t.expiresAt)],
);

/** Standing grants; each author's MAC covers the terms. */
export const grants = pgTable(
  'grants',
  {
    id: text().primaryKey(),
    agent: text().notNull(),
    tool: text().notNull(),
    holdId: text('hold_id').$type<HoldId>().notNull(),
    terms: sealedJson('grants.terms').$type<GrantTerms>().notNull(),
    given: json().$type<Granter[]>().notNull(),
    ended: json().$type<GrantRow['ended']>(),
    used: json().$type<GrantUsed>().notNull(),
    /** That a process of Standfast counted this, of a grant that has not ended. */
    usedMac: text('used_mac'),
    createdAt: writtenAt('created_at'),
  },
  (t) => [index('grants_by_call').on(t.agent, t.tool)],
);

/** The calls that came under a grant; `is_asked`: one was asked about all the same. */
export const grantUses = pgTable(
  'grant_uses',
  {
    grantId: text('grant_id').notNull(),
    holdId: text('hold_id').$type<HoldId>().notNull(),
    isAsked: boolean('is_asked').notNull(),
    amount: doublePrecision().notNull(),
    /** That a process of Standfast wrote it. */
    mac: text().notNull(),
    usedAt: writtenAt('used_at'),
  },
  (t) => [primaryKey({ columns: [t.grantId, t.holdId] })],
);
