/** `strings.inbox.title`, `strings.hold.back`, …: all words of words.ts under one name. */
export * as strings from './words.ts';
