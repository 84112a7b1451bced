// The order in which jest takes the files: in a fresh clone it knows no durations, and a file that takes a minute must not be the
// last to begin. What mostly waits is named here; for the rest its length is a guess that does.
import { statSync } from 'node:fs';

const waitsLong = new RegExp(
  `/(${[
    // Among the quick ones.
    'killed|embedded|open-store|send-failures|temporal-server|package|stream-callers',
    // With real servers.
    'chaos|seams|at-once|split-(?!callers)\\w+(-\\w+)?|cli|up-start-stop|statements|watching|odd-agent-texts|talk-back',
    '(inbox|hold-page|pages)-looks|hold-page-(races|task)|chat-page-run|task-chat|inbox-reconnect',
    'bad-agent|a2a-callers|copilotkit|priority',
  ].join('|')})\\.test\\.ts$`,
);

const weightOf = ({ path }) => (waitsLong.test(path) ? Number.MAX_SAFE_INTEGER : statSync(path).size);

export default class LongestFirst {
  sort(tests) {
    const weights = new Map(tests.map((test) => [test, weightOf(test)]));
    return tests.toSorted((a, b) => weights.get(b) - weights.get(a));
  }

  /** For --onlyFailures, which needs what jest's own order keeps of earlier runs. */
  allFailedTests(tests) {
    return tests;
  }

  shard(tests) {
    return tests;
  }

  cacheResults() {}
}
