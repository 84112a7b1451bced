// The frame of a page that is not a list with a question: its bar with the title and what can be done, its content below.
import type { ReactNode } from 'react';
import { usePageTitle } from '../base/page/title.ts';

interface Props {
  /** Names the page, in its bar and in the browser's tab. */
  title: string;
  /** Buttons and choices at the right of the bar. */
  actions?: ReactNode;
  children: ReactNode;
}

export function PageFrame({ title, actions, children }: Props): ReactNode {
  usePageTitle(title);
  return (
    <div className="frame">
      <header className="page-bar frame-bar cluster">
        <h1>{title}</h1>
        {actions !== undefined && <div className="frame-actions cluster">{actions}</div>}
      </header>
      <div className="frame-body stack">{children}</div>
    </div>
  );
}
