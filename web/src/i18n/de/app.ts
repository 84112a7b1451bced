// What stands around every page.
import type * as en from '../en/app.ts';

export const app: Partial<typeof en.app> = {
  skip: 'Zum Inhalt',
};
