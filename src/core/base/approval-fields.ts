// Fields of questions whether a call may be made, alike for all who ask them.
import type { JsonObject } from '../../contract/base/json.ts';

export const approvedField = { type: 'boolean', title: 'Approve' } as const satisfies JsonObject;
export const rejectionField = {
  type: 'string',
  title: 'Reason of a rejection',
  maxLength: 2000,
} as const satisfies JsonObject;
