// Which key was meant; pure.

export interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  isComposing: boolean;
}

/** `j`, `Shift+x`, `?`, `Escape`, `mod+Enter`, `mod+k` (Ctrl or ⌘), or null for what is not a shortcut here. */
export function keyWord(press: KeyPress): string | null {
  if (press.isComposing || press.altKey) return null;
  if (press.ctrlKey || press.metaKey) {
    if (press.key === 'Enter') return 'mod+Enter';
    return press.key.toLowerCase() === 'k' ? 'mod+k' : null;
  }
  if (press.key.length > 1) return press.key;
  const isLetter = press.key.toLowerCase() !== press.key.toUpperCase();
  if (!isLetter) return press.key;
  return press.shiftKey ? `Shift+${press.key.toLowerCase()}` : press.key.toLowerCase();
}

/** Those WCAG 2.1.4 speaks of: a character alone. They can be switched off, and rest in fields. */
export const isCharacter = (word: string): boolean => word.length === 1 || /^Shift\+.$/.test(word);
