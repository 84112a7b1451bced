// Agents' text on lines of a terminal: its spaces as they are, since they are part of YAML, code and diffs.
import { cut, shown, widthOf } from './tables.ts';
import type { Style } from './terminal.ts';

/** The lines of a text, empty ones too; only blank ones at either end are left out. */
export function textLines(text: string): string[] {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/u).map((line) => shown(line.replaceAll('\t', '    ')).trimEnd());
  const first = lines.findIndex((line) => line !== '');
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1);
}

/** Lines of code and diffs are never broken: where a break falls, it would look like a line of theirs. */
const isCode = /^(?:\s|[+-](?!\s)|[+-]\s{2}|@@|diff )/u;

/** The line broken at its spaces to fit so many columns; a word that is longer stays whole. */
export function wrapLine(line: string, columns: number): string[] {
  if (columns < 20 || widthOf(line) <= columns || isCode.test(line)) return [line];
  const lines: string[] = [];
  let rest = line;
  while (widthOf(rest) > columns) {
    const fitting = cut(rest, columns + 1).slice(0, -1);
    const before = rest[fitting.length] === ' ' ? fitting.length : fitting.lastIndexOf(' ');
    const at = before > 0 ? before : rest.indexOf(' ');
    if (at < 0) break;
    lines.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at + 1);
  }
  return [...lines, rest];
}

type Paint = (style: Style, text: string) => string;

/** What came is green, what went red, a hunk's head cyan: of a text that is a diff, and of nothing else. */
export function paintDiff(lines: readonly string[], paint: Paint): string[] {
  let isInside = false;
  return lines.map((line) => {
    if (/^(?:diff |@@ )/.test(line)) isInside = true;
    else if (!/^[-+ \\]|^$|^index |^(?:new|deleted) file /.test(line)) isInside = false;
    if (!isInside) return line;
    if (line.startsWith('@@')) return paint('cyan', line);
    if (/^(?:diff |index |\+\+\+|---)/.test(line)) return paint('bold', line);
    return line.startsWith('+') ? paint('green', line) : line.startsWith('-') ? paint('red', line) : line;
  });
}
