import type { Json } from '../../../contract/base/json.ts';

// Tells apart what one agent gave, and nothing more: it is no proof, and whoever makes two things of one fingerprint only
// hides the second one of their own.

const { imul } = Math;

/** 64 bits of a text (two rounds of FNV-1a), as 16 hex digits. */
export function textFingerprint(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = imul(a ^ code, 0x01000193);
    b = imul(b ^ (code + i), 0x85ebca6b);
  }
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}

export function jsonFingerprint(value: Json): string {
  return textFingerprint(JSON.stringify(value));
}
