import { createEgress } from '../../src/host/net/egress.ts';

/** Without rules of an operator's: metadata services alone are refused. */
export const openEgress = createEgress({ deny: [], allow: [] });
