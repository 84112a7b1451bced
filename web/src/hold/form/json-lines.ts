// The line of a JSON text on which a value is; pure.

/** Line (from 1) of the value at `path`, or of the nearest place above it that is written. */
export function lineOf(text: string, path: readonly string[]): number {
  const tokens = tokenize(text);
  let found = 0;
  let rest = path;
  let index = 0;
  // Down the path, one container a step: `index` is at the value that is entered.
  for (;;) {
    found = tokens[index]?.offset ?? found;
    const [wanted] = rest;
    const inner = wanted === undefined ? null : itemAt(tokens, index, wanted);
    if (inner === null) return text.slice(0, found).split('\n').length;
    index = inner;
    rest = rest.slice(1);
  }
}

/** Where the item `wanted` of the container at `start` is written, by its name or its number; null: nowhere. */
function itemAt(tokens: readonly Lexeme[], start: number, wanted: string): number | null {
  const isObject = tokens[start]?.text === '{';
  if (!isObject && tokens[start]?.text !== '[') return null;
  let found: number | null = null;
  let index = start + 1;
  for (let item = 0; index < tokens.length && !isClosing(tokens[index]); item += 1) {
    const name = isObject ? nameOf(tokens[index]?.text ?? '') : String(item);
    // Past the key and its colon.
    if (isObject) index += 2;
    // Of a name that is written twice the last one counts, as for JSON.parse.
    if (name === wanted && index < tokens.length) found = index;
    index = afterValue(tokens, index);
    if (tokens[index]?.text === ',') index += 1;
  }
  return found;
}

/** Where what follows the value at `start` begins. */
function afterValue(tokens: readonly Lexeme[], start: number): number {
  let depth = 0;
  for (let index = start; index < tokens.length; index += 1) {
    if (isOpening(tokens[index])) depth += 1;
    if (isClosing(tokens[index])) depth -= 1;
    if (depth <= 0) return index + 1;
  }
  return tokens.length;
}

const isOpening = (token: Lexeme | undefined): boolean => token?.text === '{' || token?.text === '[';
const isClosing = (token: Lexeme | undefined): boolean => token?.text === '}' || token?.text === ']';

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
