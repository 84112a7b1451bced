// One line of a page's list: whose it is, what it is about, its state; the whole of it leads there.
import type { ReactNode } from 'react';
import { agentTitle } from '../base/account/names.ts';
import { Link } from '../base/router/router.ts';
import { Parts } from './controls.tsx';
import { Monogram } from './monogram.tsx';
import './lines.css';

interface Props {
  to: string;
  agent: string;
  title: string;
  /** At the end of its title; never cut. */
  amount?: string | null;
  /** The lines below it, each in its own direction. */
  details: readonly string[];
  end: ReactNode;
}

export function Line({ to, agent, title, amount = null, details, end }: Props): ReactNode {
  return (
    <li>
      <Link className="line" to={to}>
        <Monogram id={agent} name={agentTitle(agent)} />
        <span className="line-main cut">
          <span className="line-title">
            <bdi className="cut" dir="auto">
              {title}
            </bdi>
            {amount !== null && <span className="num">&nbsp;· {amount}</span>}
          </span>
          <span className="meta cut">
            <Parts parts={details} />
          </span>
        </span>
        <span className="line-end">{end}</span>
      </Link>
    </li>
  );
}
