import type { CheckAnswersInput, CheckAnswersResult } from '../../contract/tasks/activity.ts';
import type { ActivityDeps } from '../deps.ts';
import { answerGiven } from '../../core/consent/proof.ts';
import { errorsOf } from '../../core/answers/verdict-errors.ts';
import { fingerprintOf } from '../../host/secrets/hash.ts';
import { whyOtherOnWire } from '../../wire/a2a/dialects/same-on-wire.ts';
import { openValues } from '../../host/secrets/sealing.ts';

type Deps = Pick<ActivityDeps, 'store' | 'checkSchema' | 'sealer' | 'log'>;

/** Checks answers against their schemas; a schema that cannot be used lets no answer pass. */
export async function checkAnswers(deps: Deps, input: CheckAnswersInput): Promise<CheckAnswersResult> {
  const errors: CheckAnswersResult['errors'] = [];
  const fingerprints: CheckAnswersResult['fingerprints'] = [];
  const isOne = input.answers.length === 1;
  for (const { holdId, schema, status, values, reason, sealed } of input.answers) {
    fingerprints.push({ holdId, fingerprint: fingerprintOf(answerGiven({ status, values, reason })) });
    if (status === 'cancelled') continue;
    const boxOf = (sealId: string): Promise<string | null> => deps.store.seals.get(sealId);
    const given = sealed === undefined ? values : await openValues(deps.sealer, sealed, values, boxOf);
    const verdict = await deps.checkSchema(schema, given);
    if (verdict.ok) {
      const question = (await deps.store.holds.get(holdId))?.question;
      const other = question === undefined ? null : whyOtherOnWire(question, { status, values: given, reason });
      if (other !== null) errors.push(isOne ? other : { ...other, path: `${holdId}${other.path}` });
      continue;
    }
    if ('unusable' in verdict)
      deps.log.warn(
        { holdId, why: verdict.unusable },
        'an answer was refused: the schema of its question cannot be used',
      );
    errors.push(...errorsOf(verdict).map((error) => (isOne ? error : { ...error, path: `${holdId}${error.path}` })));
  }
  return { fingerprints, errors };
}
