import { z } from 'zod';
import {
  accessPattern,
  isPlainText,
  isWrittenOnce,
  plainTextMessage,
  shownName,
  userNamePattern,
  writtenOnce,
} from './text.ts';

/** What a person or a program writes, at most so many characters. */
export const plainText = (max: number): z.ZodString => z.string().max(max).refine(isPlainText, plainTextMessage);

export const UserNameSchema = z
  .string()
  .regex(userNamePattern, 'a user name has no spaces, no ":" and nothing invisible')
  .refine(isWrittenOnce, writtenOnce);
export const RoleSchema = z
  .string()
  .regex(userNamePattern, 'a role has no spaces, no ":" and nothing invisible')
  .refine(isWrittenOnce, writtenOnce);

export const DisplayNameSchema = z
  .string()
  .min(1)
  .max(100)
  .refine((text) => text === shownName(text), 'a name is one line without invisible characters or wide spaces');

export const WebAddressSchema = z.url({ protocol: /^https?$/, error: 'expected an http(s) address' });

/** A secret of Standard Webhooks. */
export const WebhookSecretSchema = z.string().regex(/^whsec_[A-Za-z0-9+/=]{16,}$/, 'expected whsec_ and base64');

/** Callers by their own name or role. */
export const AccessSchema = z
  .array(z.string().regex(accessPattern, 'expected role:<name> or user:<name>').refine(isWrittenOnce, writtenOnce))
  .min(1);
