import { Fragment, type ReactNode } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { nameFor } from '../../base/account/names.ts';
import { strings } from '../../i18n/strings.ts';
import { Monogram } from '../../ui/monogram.tsx';

/** The groups that must agree, in one line: the faces of who has, and how many of each must. */
export function StageLine({ hold, myId }: { hold: HoldView; myId: string | null }): ReactNode {
  const { stages } = hold;
  if (stages === undefined) return null;
  const words = strings.stages;
  return (
    <span className="cluster stages" role="list" aria-label={words.label}>
      {stages.list.map(({ name, by, need, state }, at) => (
        <Fragment key={name}>
          {at > 0 && <span aria-hidden="true">{stages.order === 'parallel' ? '+' : '→'}</span>}
          <span
            role="listitem"
            className={`cluster stage ${state}`}
            aria-current={state === 'asked' ? 'step' : undefined}
          >
            <bdi>{name}</bdi>
            {by.map((user) => {
              const who = nameFor(user, myId, strings.hold.you);
              return (
                <span key={user} title={who}>
                  <Monogram id={user} name={who} isPerson />
                  <span className="sr-only">{who}</span>
                </span>
              );
            })}
            <span>{words.count(by.length, need)}</span>
            <span className="sr-only">{words.states[state]}</span>
          </span>
        </Fragment>
      ))}
    </span>
  );
}
