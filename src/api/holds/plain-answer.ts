// An answer to one of many questions: a plain yes or no, and to nothing that is to be decided alone.
import type { DecisionBody } from '../../contract/holds/decision.ts';
import { objectOf } from '../../core/base/json.ts';
import { sayingOf, yesOf } from '../../core/consent/verdict.ts';
import { endsTaskDeclined } from '../../core/task/hold-end.ts';
import type { HoldRow } from '../../store/store.ts';

/** Why a question is not one of many; null when it may be. */
export function whyNotOfMany({ question, plan }: HoldRow): string | null {
  const { kind, secrets } = question;
  if (kind !== 'confirmation' && kind !== 'tool_call') return `a question of kind ${kind} is answered alone`;
  if (secrets.length > 0) return 'a secret is given alone';
  if (plan.sign !== undefined) return 'it is signed with a passkey, on its own page';
  return plan.danger ? 'its policy calls it dangerous' : null;
}

/** Null: a yes alone does not answer it. Of a no the reason goes where the agent gets it. */
export function plainAnswer(hold: HoldRow, verdict: 'yes' | 'no', reason: string | undefined): DecisionBody | null {
  const { digest, question } = hold;
  const yes = yesOf(question);
  if (verdict === 'yes') return yes && { status: 'resolved', values: yes, digest };
  if (yes === null || !endsTaskDeclined(hold))
    return { status: 'cancelled', digest, ...(reason === undefined ? {} : { reason }) };
  const properties = objectOf(question.schema['properties']);
  const carrier = ['reason', 'comment'].find((name) => objectOf(properties[name])['type'] === 'string');
  const no = sayingOf(question, false);
  if (no === null) return null;
  const carried = reason === undefined || carrier === undefined ? {} : { [carrier]: reason };
  return { status: 'resolved', values: { ...no, ...carried }, digest };
}
