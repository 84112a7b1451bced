// The line of a JSON text on which a value stands; pure.

/** Line (from 1) of the value at `path`, or of the nearest place above it that is written. */
export function lineOf(text: string, path: readonly string[]): number {
  let line = 1;
  const at = (offset: number): number => text.slice(0, offset).split('\n').length;
  const tokens = tokenize(text);
  let index = 0;
  const value = (rest: readonly string[] | null): void => {
    const token = tokens[index];
    if (token === undefined) return;
    if (rest !== null) line = at(token.offset);
    index += 1;
    if (token.text === '{') {
      while (index < tokens.length && tokens[index]?.text !== '}') {
        const key = tokens[index];
        const isWanted = rest !== null && rest.length > 0 && key !== undefined && nameOf(key.text) === rest[0];
        // Past the key and its colon.
        index += 2;
        value(isWanted ? rest.slice(1) : null);
        if (tokens[index]?.text === ',') index += 1;
      }
      index += 1;
    } else if (token.text === '[') {
      let item = 0;
      while (index < tokens.length && tokens[index]?.text !== ']') {
        const isWanted = rest !== null && rest.length > 0 && rest[0] === String(item);
        value(isWanted ? rest.slice(1) : null);
        item += 1;
        if (tokens[index]?.text === ',') index += 1;
      }
      index += 1;
    }
  };
  value(path);
  return line;
}

/** Line on which JSON.parse gave up, from its message. */
export function brokenLine(text: string, message: string): number {
  const position = /position (\d+)/.exec(message)?.[1];
  const line = /line (\d+)/.exec(message)?.[1];
  if (line !== undefined) return Number(line);
  return position === undefined ? text.split('\n').length : text.slice(0, Number(position)).split('\n').length;
}

interface Lexeme {
  text: string;
  offset: number;
}

function tokenize(text: string): Lexeme[] {
  const found = text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gu);
  return [...found].map((match) => ({ text: match[0], offset: match.index }));
}

function nameOf(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
