/*
 * Patterns come from agents and run in the reader's tab, where nothing can stop them. One that may take for ever on a
 * short text (a repeated group that repeats or chooses inside, a back reference) is left to the server, which checks in
 * linear time.
 */
export function isQuickPattern(pattern: string): boolean {
  if (pattern.length > 300 || /\\(?:[1-9]|k<)/.test(pattern) || pattern.includes('(?<') || /\(\?[=!]/.test(pattern))
    return false;
  const groups: { repeats: boolean }[] = [{ repeats: false }];
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') at += 1;
    else if (character === '[') at = endOfClass(pattern, at);
    else if (character === '(') groups.push({ repeats: false });
    else if (character === ')') {
      const inner = groups.pop();
      const outer = groups.at(-1);
      if (inner === undefined || outer === undefined) return false;
      if (inner.repeats && isRepeat(pattern[at + 1])) return false;
      outer.repeats ||= inner.repeats;
    } else if (character === '|' || isRepeat(character)) {
      const here = groups.at(-1);
      if (here !== undefined) here.repeats = true;
    }
  }
  // Several stars in a row over the same characters are polynomial only; bounded by the length of what is typed.
  return (pattern.match(/[*+]/g) ?? []).length <= 4;
}

const isRepeat = (character: string | undefined): boolean =>
  character === '*' || character === '+' || character === '{';

function endOfClass(pattern: string, from: number): number {
  for (let at = from + 1; at < pattern.length; at += 1) {
    if (pattern[at] === '\\') at += 1;
    else if (pattern[at] === ']' && at > from + 1) return at;
  }
  return pattern.length;
}
