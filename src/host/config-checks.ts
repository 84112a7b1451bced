import { createHash } from 'node:crypto';
import type { Config } from '../contract/config.ts';
import type { Policy } from '../contract/policy.ts';
import { durationMs } from '../core/duration.ts';
import type { Path } from './config-source.ts';

/** A fault that no single value shows: several keys that do not go together. */
export interface CrossFault {
  path: Path;
  message: string;
}

/** Ten years: longer is a slip of the keyboard, and far longer is not a date any more. */
const longestMs = 3650 * 86_400_000;

function durationFaults(text: string, path: Path): CrossFault[] {
  const ms = durationMs(text);
  if (ms <= 0) return [{ path, message: `found ${text}: expected a duration longer than nothing` }];
  if (ms > longestMs) return [{ path, message: `found ${text}: expected at most ten years (3650d)` }];
  return [];
}

function ladderFaults(policy: Policy, at: Path): CrossFault[] {
  const faults: CrossFault[] = [];
  const { after: expiry, then } = policy.expire;
  let before: string | null = null;
  for (const [index, step] of policy.ladder.entries()) {
    const path = [...at, 'ladder', index];
    faults.push(...durationFaults(step.after, [...path, 'after']));
    if (before !== null && durationMs(step.after) <= durationMs(before)) {
      const message = `found ${step.after} after a step at ${before}: expected a later time than the step before it`;
      faults.push({ path: [...path, 'after'], message });
    }
    if (then !== 'keep-open' && durationMs(step.after) >= durationMs(expiry)) {
      const message = `found ${step.after}: expected a time before the expiry after ${expiry}, this step would never come`;
      faults.push({ path: [...path, 'after'], message });
    }
    if (step.every !== undefined) {
      faults.push(...durationFaults(step.every, [...path, 'every']));
      if (step.remind !== true) {
        faults.push({
          path: [...path, 'every'],
          message: 'only a reminder repeats: expected `remind: true` beside `every`',
        });
      }
    }
    if (step.replace !== undefined && step.escalate === undefined) {
      const message = 'only an escalation replaces the audience: expected `escalate: [...]` beside `replace`';
      faults.push({ path: [...path, 'replace'], message });
    }
    before = step.after;
  }
  if (then === 'keep-open' && !policy.ladder.some((step) => step.every !== undefined && step.remind === true)) {
    const message =
      '`keep-open` waits for ever: expected a ladder with a repeating reminder, such as { after: 1d, remind: true, every: 1d }';
    faults.push({ path: [...at, 'expire', 'then'], message });
  }
  return [...faults, ...durationFaults(expiry, [...at, 'expire', 'after'])];
}

/** HTTP field names and values, RFC 9110 §5: what `fetch` would refuse later, once for each message. */
const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const fieldValue = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

function agentFaults(config: Config): CrossFault[] {
  return Object.entries(config.agents).flatMap(([name, agent]) => {
    const path = ['agents', name];
    const faults: CrossFault[] = [];
    if (agent.policy !== undefined && !Object.hasOwn(config.policies, agent.policy)) {
      const known = Object.keys(config.policies);
      const expected = known.length > 0 ? `expected one of ${known.join(', ')}` : 'no policies are defined';
      faults.push({
        path: [...path, 'policy'],
        message: `found "${agent.policy}", which is not a policy of this file: ${expected}`,
      });
    }
    for (const [header, value] of Object.entries(agent.headers)) {
      const at = [...path, 'headers', header];
      if (!fieldName.test(header)) faults.push({ path: at, message: `"${header}" is not the name of an HTTP header` });
      if (!fieldValue.test(value)) {
        faults.push({ path: at, message: 'found a line break or another character that no HTTP header may have' });
      }
    }
    return faults;
  });
}

function keyFaults(config: Config): CrossFault[] {
  const seen = new Map<string, number>();
  return config.auth.keys.flatMap(({ key, keySha256 }, index) => {
    const print =
      keySha256 ??
      createHash('sha256')
        .update(key ?? '')
        .digest('hex');
    const first = seen.get(print);
    seen.set(print, first ?? index);
    if (first === undefined) return [];
    const path = ['auth', 'keys', index, key === undefined ? 'keySha256' : 'key'];
    return [{ path, message: `the same API key as auth.keys[${first}]: expected a key of its own for each entry` }];
  });
}

/** Everything the schema cannot say about a configuration. */
export function crossFaults(config: Config): CrossFault[] {
  return [
    ...agentFaults(config),
    ...Object.entries(config.policies).flatMap(([name, policy]) => ladderFaults(policy, ['policies', name])),
    ...keyFaults(config),
    ...durationFaults(config.reconcile.every, ['reconcile', 'every']),
    ...durationFaults(config.retention.events, ['retention', 'events']),
    ...durationFaults(config.agentOutage, ['agentOutage']),
  ];
}
