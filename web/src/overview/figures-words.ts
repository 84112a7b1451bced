// Shares and ratios as the figures show them; pure.
import { strings } from '../i18n/strings.ts';

export const percent = (part: number, whole: number): string =>
  whole === 0 ? strings.figures.never : `${Math.round((part / whole) * 100)} %`;

export const perTask = (asks: number, tasks: number): string =>
  tasks === 0 ? strings.figures.never : (asks / tasks).toFixed(1);

/** More than 98 % of at least 50 approvals changed nothing: the question could be a policy. */
export const candidate = (unchanged: number, approvals: number): boolean =>
  approvals >= 50 && unchanged / approvals > 0.98;
