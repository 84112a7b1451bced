import { ApiError } from '../base/live/api.ts';
import { visible } from '../base/text/visible.ts';
import { strings } from '../i18n/strings.ts';

/** Why a change that was asked for was not made, in the words of the api. */
export const whyOf = (error: unknown): string => {
  if (!(error instanceof ApiError) || error.status === 0) return strings.app.failed;
  return visible(error.errors[0]?.message ?? error.detail);
};
