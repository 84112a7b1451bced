// Which calls are not asked about any more, each bound of it.
import type { ReactNode } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { agentTitle, shortName } from '../../base/account/names.ts';
import { visible } from '../../base/text/visible.ts';
import { Facts } from '../../ui/facts.tsx';
import { clockAt } from '../../base/time/time.ts';
import { strings } from '../../i18n/strings.ts';
import type { Dict } from '../values/dict.ts';

const words = strings.grants;

interface Props {
  hold: HoldView;
  grants: NonNullable<HoldView['grants']>;
  /** As they are approved. */
  args: Dict;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export function ScopeFacts({ hold, grants, args }: Props): ReactNode {
  const { ranges, times, sum, until, by, recheck, given } = grants;
  // What a comparison is about may differ; of what lies deeper the rest is equal.
  const isCompared = (name: string): boolean => ranges.some((range) => range === name || range.startsWith(`${name} `));
  const equal = Object.entries(args).filter(([name]) => !isCompared(name));
  const facts: [string, string][] = [
    [words.tool, `${hold.tool?.name ?? ''} (${agentTitle(hold.agent)})`],
    [words.ranges, ranges.length === 0 ? words.equal : ranges.join(', ')],
    [words.used, words.atMost(times)],
    ...(sum === null ? [] : [[words.sum(sum.of), words.atMost(sum.most)] as [string, string]]),
    [words.until, clockAt(until)],
    [words.recheck, words.oneIn(recheck)],
    ...(by > 1 ? [[words.persons, words.of(given.length + 1, by)] as [string, string]] : []),
    ...(given.length > 0 ? [[words.by, given.map(shortName).join(', ')] as [string, string]] : []),
    // Last: an agent may make them as long as it likes, and the bounds must be seen.
    ...equal.map(([name, value]): [string, string] => [`${name} =`, textOf(value)]),
  ];
  return (
    <section className="grant-scope" aria-label={words.scope}>
      <p className="meta">{words.scope}</p>
      <Facts facts={facts.map(([name, value]) => [visible(name), <bdi key={name}>{visible(value)}</bdi>])} />
    </section>
  );
}
