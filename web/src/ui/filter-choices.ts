// Which of many choices fit what is typed; pure.

/** Longer lists are searched. */
export const filteredFrom = 13;

/** Places of the choices that have each word of what is typed; those that begin with it come first. */
export function fittingChoices(labels: readonly string[], typed: string): number[] {
  const text = typed.trim().toLocaleLowerCase();
  const words = text.split(/\s+/u).filter((word) => word !== '');
  const found = labels.flatMap((label, at) => {
    const lower = label.toLocaleLowerCase();
    return words.every((word) => lower.includes(word)) ? [{ at, isFirst: lower.startsWith(text) }] : [];
  });
  return [...found.filter(({ isFirst }) => isFirst), ...found.filter(({ isFirst }) => !isFirst)].map(({ at }) => at);
}
