// What can happen in the small world (world.ts), and to whom: its acts, its people and its policies.
import { PolicySchema, type Policy } from '../../src/contract/configuration/policy.ts';
import type { Principal } from '../../src/contract/base/principal.ts';
import type { TurnOutcome } from '../../src/contract/tasks/turn.ts';
import type { TaskEvent } from '../../src/core/task/task-state.ts';
import { aPrincipal, aSuper } from '../rigs/factories.ts';

export type AgentWord = Extract<TaskEvent, { type: 'agent.stopped' }>['state'];
/** What an agent asks: which policy it meets, and whether it can take a refusal. */
export interface Ask {
  policy: number;
  canRefuse: boolean;
  kind: 'form' | 'text';
}
export type Ending =
  | { kind: 'paused'; asks: Ask[]; messageId: string | null }
  | { kind: Exclude<TurnOutcome['kind'], 'paused'>; state: EndState };
export type EndState = Extract<TurnOutcome, { kind: 'ended' }>['state'];
export type Choice = 'yes' | 'other' | 'no';

/** One thing that happens; numbers choose among what is there then. */
export type Act =
  /** So many moves of the workflow and the agent, if no act comes between. */
  | { act: 'go'; moves: number; word: AgentWord; ending: Ending }
  | { act: 'deliver' }
  /** `due`: until the very moment of the next step. Unnoticed: commands come before the timer fires. */
  | { act: 'wait'; ms: number | 'due'; isNoticed: boolean }
  | { act: 'say'; by: number; isRunIdUsed: boolean }
  | { act: 'resume'; by: number; choices: Choice[]; agoMs: number; also: Also; isRunIdUsed: boolean }
  | { act: 'decide'; hold: number; by: number; choice: Choice; agoMs: number; digest: 'none' | 'right' | 'wrong' }
  /** Counted back from the last one. */
  | { act: 'again'; source: number }
  | { act: 'cancel' }
  /** A person's word to the agent; the same again, counted back, when `isAgain`. */
  | { act: 'word'; by: number; isAgain: boolean; agoMs: number }
  | { act: 'amend'; hold: number; by: number; kind: 'withdraw-vote' | 'reassign' | 'undo' | 'extend' | 'withdraw' }
  /** The agent went on without an answer; `isLate`: the word is about an earlier pause or sleep. */
  | { act: 'moved'; kind: 'pause' | 'turn'; isLate: boolean }
  | { act: 'limit' };
/** What a resume names in addition to the open holds; `short`: one less. */
export type Also = 'nothing' | 'short' | 'closed' | 'unknown' | 'operator' | 'twice' | 'none';

export const people: Principal[] = [
  aSuper,
  aPrincipal('olga'),
  aPrincipal('finn', 'finance'),
  aPrincipal('lea', 'lead'),
  aPrincipal('opal', 'operator'),
];

export const policies: Policy[] = [
  {},
  {
    audience: ['role:finance'],
    ladder: [{ after: '4h', escalate: ['role:lead'] }],
    expire: { after: '1d', then: 'cancel' },
  },
  {
    audience: ['role:finance', 'owner'],
    exclude: ['requester'],
    ladder: [
      { after: '30m', remind: true },
      { after: '1h', escalate: ['role:lead'], replace: true },
    ],
    expire: { after: '8h', then: 'reject' },
  },
  { expire: { after: '2h', then: 'default' } },
  { ladder: [{ after: '1h', remind: true, every: '1d' }], expire: { after: '1d', then: 'keep-open' } },
  { audience: ['owner', 'role:finance', 'role:lead'], quorum: 2, expire: { after: '1d', then: 'cancel' } },
  {
    audience: ['owner', 'role:finance', 'role:lead'],
    exclude: ['requester'],
    quorum: 2,
    ladder: [{ after: '1h', escalate: ['agent:judge'] }],
    notify: ['mail'],
    expire: { after: '8h', then: 'default' },
  },
  {
    audience: ['agent:judge'],
    ladder: [
      { after: '2h', escalate: ['agent:clerk'], replace: true },
      { after: '4h', escalate: ['role:lead'] },
    ],
    expire: { after: '8h', then: 'cancel' },
  },
  { audience: ['owner', 'role:finance'], grace: '10m', expire: { after: '2h', then: 'default' } },
  { audience: ['owner', 'role:finance', 'role:lead'], quorum: 2, grace: '1h', expire: { after: '1h', then: 'cancel' } },
].map((policy) => PolicySchema.parse(policy));
