// A few views of one page, side by side, each an address.
import type { ReactNode } from 'react';
import { Link } from '../base/router/router.ts';
import './lines.css';

interface Props {
  label: string;
  items: readonly { key: string; word: string; to: string; isCurrent: boolean }[];
}

export function Segments({ label, items }: Props): ReactNode {
  return (
    <nav className="segments" aria-label={label}>
      {items.map(({ key, word, to, isCurrent }) => (
        <Link key={key} className="segment" to={to} replace aria-current={isCurrent ? 'page' : undefined}>
          {word}
        </Link>
      ))}
    </nav>
  );
}
