// How risky the agent calls it, and why it says it asks: marked as its own words, inside of its block.
import type { ReactNode } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { agentTitle } from '../../base/account/names.ts';
import { visible } from '../../base/text/visible.ts';
import { ReadBlock } from '../reading/read-block.tsx';
import { strings } from '../../i18n/strings.ts';
import { AsWritten } from '../../ui/controls.tsx';

const words = strings.hold;

export function Stated({ hold: { agent, stated } }: { hold: HoldView }): ReactNode {
  if (stated === undefined) return null;
  const { risk, reasoning } = stated;
  return (
    <ReadBlock kind="text" className="stated" role="group" aria-label={words.stated(agentTitle(agent))}>
      <p className="meta">{words.stated(agentTitle(agent))}</p>
      {risk !== undefined && (
        <p>
          {words.risk}: <bdi className="strong">{visible(risk)}</bdi>
        </p>
      )}
      {reasoning !== undefined && (
        <details className="fold-inline">
          <summary>{words.reasoning}</summary>
          <ReadBlock kind="text">
            <AsWritten text={reasoning} />
          </ReadBlock>
        </details>
      )}
    </ReadBlock>
  );
}
