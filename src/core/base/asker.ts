import { askAgent } from './ids.ts';

/** Who asked, as receipts and grants say it: one name may be an agent's and a program's. */
export const askerOf = ({ agent, owner }: { agent: string; owner: string }): `a2a:${string}` | `program:${string}` =>
  agent === askAgent ? `program:${owner}` : `a2a:${agent}`;
