import { type ReactNode, useState } from 'react';
import { announce } from '../../base/page/announce.tsx';
import { strings } from '../../i18n/strings.ts';

/** Copies a text, and says that it has. */
export function CopyButton({ text, className = '' }: { text: string; className?: string }): ReactNode {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    announce(strings.hold.copied);
  };
  // Browsers keep the clipboard from pages without TLS.
  if (!('clipboard' in navigator)) return null;
  return (
    <button type="button" className={`button ${className}`} onClick={() => void copy().catch(() => undefined)}>
      {isCopied ? strings.hold.copied : strings.hold.copy}
    </button>
  );
}
