import { z } from 'zod';

/** NUL, which a database refuses, and half surrogate pairs, which UTF-8 cannot carry: JSON can spell both. */
const unfit = /[\0\p{Surrogate}]/u;

/** True for text that can be kept, sent on, and repeated by a client. */
export const isPlainText = (text: string): boolean => !unfit.test(text);

export const plainTextMessage = 'must be well-formed Unicode without NUL';

/** What a person or a program writes, at most so many characters. */
export const plainText = (max: number): z.ZodString => z.string().max(max).refine(isPlainText, plainTextMessage);
