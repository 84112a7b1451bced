import { describe, expect, test } from '@jest/globals';
import { isCharacter, keyWord, type KeyPress } from '../../web/src/base/page/key-words.ts';

const press = (key: string, change: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  ...change,
});

describe('a key', () => {
  test('a key is its letter, whatever the shift lock says', () => {
    expect(keyWord(press('j'))).toBe('j');
    expect(keyWord(press('J'))).toBe('j');
    expect(keyWord(press('X', { shiftKey: true }))).toBe('Shift+x');
    expect(keyWord(press('?', { shiftKey: true }))).toBe('?');
  });

  test('a key with Ctrl or Alt is the browser’s, but for Ctrl+Enter', () => {
    expect(keyWord(press('r', { ctrlKey: true }))).toBeNull();
    expect(keyWord(press('a', { altKey: true }))).toBeNull();
    expect(keyWord(press('Enter', { metaKey: true }))).toBe('mod+Enter');
  });

  test('a key of an unfinished composition is none', () => {
    expect(keyWord(press('a', { isComposing: true }))).toBeNull();
  });

  test('a key is a character that can be switched off, or one that always works', () => {
    expect(['j', '?', '/', 'Shift+x'].every(isCharacter)).toBe(true);
    expect(['Escape', 'Enter', 'ArrowDown', 'mod+Enter', 'Shift+ArrowUp'].some(isCharacter)).toBe(false);
  });
});
