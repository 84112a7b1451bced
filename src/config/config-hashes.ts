// What proves which configuration ran: hashes of the file as it was written, before variables have their values, so that they
// can be compared with a repository and say nothing of secrets in the environment.
import { createHash } from 'node:crypto';
import { parse } from 'yaml';
import type { Json } from '../contract/base/json.ts';
import { canonicalJson } from '../core/base/json.ts';

export interface ConfigHashes {
  /** SHA-256 of its bytes, as sha256sum gives it; null: the defaults apply. */
  file: string | null;
  /** SHA-256 of each section as canonical JSON (RFC 8785): comments and order do not count. */
  sections: Record<string, string>;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Of a text that is valid as a configuration. */
export function hashesOf(text: string): ConfigHashes {
  // Safe: YAML without tags of its own has only what JSON has.
  const data = (parse(text) ?? {}) as Record<string, Json>;
  const sections = Object.entries(data).map(([name, value]) => [name, sha256(canonicalJson(value))]);
  return { file: sha256(text), sections: Object.fromEntries(sections) };
}

export const noHashes: ConfigHashes = { file: null, sections: {} };
