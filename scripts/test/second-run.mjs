// In CI a few files that failed run once more, alone: a machine that others keep busy must not refuse a change that is
// right. What passes then is named as unsteady, and is for `npm run test:repeat`; what is wrong fails again.

/** More files than these do not fail by chance. */
const mostFiles = 3;

/** The files of a stage that run again; none where too many failed, or where jest failed without a file. */
export const filesToRepeat = ({ isGood, failures }) =>
  isGood || failures.length > mostFiles ? [] : failures.map(({ file }) => file);

/** What both runs come to: the second one counts for the files that ran again. */
export function joinRuns(first, second) {
  const sumOf = (key) => first.failures.reduce((sum, failure) => sum + failure[key], 0);
  return {
    isGood: second.isGood && first.skipped === 0,
    passed: first.passed - sumOf('passed') + second.passed,
    failed: first.failed - sumOf('failed') + second.failed,
    skipped: first.skipped + second.skipped,
    failures: second.failures,
    unsteady: second.isGood ? first.failures : [],
  };
}
