// Checks of gates that the schema cannot express: the policies that they name, their comparisons, and what would pass by hints alone.
import type { Config } from '../contract/configuration/config.ts';
import type { Gate } from '../contract/configuration/gate.ts';
import { passesByHints } from '../core/policy/gate-rules.ts';
import { readMatcher } from '../core/policy/matcher.ts';
import { selfAskFaults } from './asker-checks.ts';
import { durationFaults, headerFaults, nameFaults, type CrossFault } from './config-fault.ts';
import type { Path } from './config-source.ts';

export function gateFaults(config: Config): CrossFault[] {
  return Object.entries(config.gates).flatMap(([name, gate]) => {
    const at = ['gates', name];
    const named: [string, Path][] = [
      ...(gate.policy === undefined ? [] : [[gate.policy, [...at, 'policy']] as [string, Path]]),
      ...gate.rules.flatMap(({ then }, index): [string, Path][] =>
        typeof then === 'object' ? [[then.ask, [...at, 'rules', index, 'then', 'ask']]] : [],
      ),
    ];
    return [
      ...named.flatMap(([policy, path]) => {
        const unknown = nameFaults(policy, config, 'policy', path);
        return unknown.length > 0 ? unknown : selfAskFaults(config, policy, path);
      }),
      ...ruleFaults(gate, at),
      ...headerFaults(gate.headers, [...at, 'headers']),
      ...durationFaults(gate.wait, [...at, 'wait']),
      ...durationFaults(gate.timeout, [...at, 'timeout']),
    ];
  });
}

function ruleFaults({ rules }: Gate, at: Path): CrossFault[] {
  return rules.flatMap((rule, index): CrossFault[] => {
    const path = [...at, 'rules', index];
    const read = rule.data === undefined ? null : readMatcher({ data: rule.data });
    const faults =
      read === null || read.ok
        ? []
        : read.faults.map(({ index: nth, text, why }) => ({
            path: [...path, 'data', ...(nth === null ? [] : [nth])],
            message: `found ${JSON.stringify(text)}: ${why}`,
          }));
    if (!passesByHints(rule)) return faults;
    const message =
      'hints are the server’s own word, and never enough to pass: expected `tool` with names in full, without `*`';
    return [...faults, { path: [...path, 'hints'], message }];
  });
}
