// What a hold's digest is over: all that people are shown before they decide. The hash function is passed in.
import type { Question } from '../contract/form.ts';
import type { ShownArtifact } from '../contract/hold.ts';

/** `sha256:…` over the canonical JSON of a value. */
export type PrintOf = (value: unknown) => string;

/** Digest of one artifact: over its name and content, and nothing of how it is fetched. */
export function artifactDigest(printOf: PrintOf, { name, content }: { name: string; content: unknown }): string {
  return printOf({ name, content });
}

/** Digest of a question asked about these artifacts; about none it is what it was before artifacts counted. */
export function holdDigest(printOf: PrintOf, question: Question, artifacts: readonly ShownArtifact[]): string {
  const { title, message, schema, defaults, tool } = question;
  const digests = artifacts.map(({ digest }) => digest);
  return printOf({ title, message, schema, defaults, toolArgs: tool?.args ?? {}, artifacts: digests });
}
