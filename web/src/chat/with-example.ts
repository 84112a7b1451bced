// The field after the press of an example: pure.

/** The example is the text, or a line below what was typed; another example makes place for it. */
export function withExample(typed: string, example: string, examples: readonly string[]): string {
  const kept = typed.trimEnd();
  return kept === '' || examples.includes(kept) ? example : `${kept}\n${example}`;
}
