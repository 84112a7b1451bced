import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type Document } from 'yaml';
import { errorText } from '../host/process/errno.ts';

/** Position in the file, 1-based. */
interface SourceLocation {
  line: number;
  column: number;
}

export type Path = readonly (string | number)[];

export interface SourceProblem extends SourceLocation {
  path: string;
  message: string;
}

/** A value with variables that are not set; `put` makes it with this text in their place. */
interface Unset extends SourceLocation {
  path: Path;
  names: string[];
  put: (standIn: string) => string;
}

/** A parsed YAML text that knows the position of each value. */
export interface ConfigSource {
  data: unknown;
  /** False when the text is not valid YAML, so that further checks are pointless. */
  isYaml: boolean;
  problems: SourceProblem[];
  unset: Unset[];
  /** Position of a value, or of its nearest ancestor in the file. */
  locationOf(path: Path): SourceLocation;
  /** Position of a key in a mapping, for reporting unknown keys. */
  locationOfKey(path: Path, key: string): SourceLocation;
  /** True when the value comes, wholly or in part, from the environment and must not be quoted. */
  isSubstituted(path: Path): boolean;
}

/** A path as text: `agents.expenses.url`, `policies.finance.ladder[1].after`. */
export function pathText(path: Path): string {
  return path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  );
}

const reference = /\$(\$?)\{([^}]*)\}/g;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

interface Substituted {
  text: string;
  missing: string[];
  malformed: string[];
}

/** Substitutes environment variables for `${NAME}`, and `standIn` for unset ones; `$${NAME}` is the literal text `${NAME}`. */
function substitute(text: string, env: NodeJS.ProcessEnv, standIn = ''): Substituted {
  const missing: string[] = [];
  const malformed: string[] = [];
  const replaced = text.replaceAll(reference, (whole, escape: string, name: string) => {
    if (escape !== '') return whole.slice(1);
    if (!variableName.test(name)) {
      malformed.push(whole);
      return whole;
    }
    const value = env[name];
    // An empty secret would only show up later, as a rejected request.
    if (value === undefined || value === '') missing.push(name);
    return value || standIn;
  });
  return { text: replaced, missing, malformed };
}

const isTab = ({ message }: Error): boolean => message.startsWith('Tabs are not allowed');

/** The parser's message without references to its own options; `at` is the text from the fault on. */
function describeYamlError(message: string, at = ''): string {
  if (message.startsWith('Map keys must be unique'))
    return `${message}, and ${/^("[^"\n]*"|'[^'\n]*'|[^\s:]+)/.exec(at)?.[0] ?? 'this one'} is there twice`;
  if (message.startsWith('Tabs are not allowed')) return `${message}: expected spaces`;
  if (message.includes('call stack')) return 'it is nested too deeply';
  if (message.includes('multiple documents')) return 'there are several documents, expected one';
  if (message.includes('Excessive alias count')) return 'its aliases would make it too large';
  return message;
}

/** Parses the text and substitutes the environment; never throws, all faults are in `problems`. */
export function parseConfigSource(text: string, env: NodeJS.ProcessEnv): ConfigSource {
  const counter = new LineCounter();
  const document: Document = parseDocument(text, { lineCounter: counter, merge: true, prettyErrors: false });
  const locationAt = (offset: number): SourceLocation => {
    const { line, col } = counter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  // A file that is indented by tabs has this fault in each of its lines.
  const firstTab = document.errors.find(isTab);
  const problems: SourceProblem[] = [...document.errors, ...document.warnings]
    .filter((error) => !isTab(error) || error === firstTab)
    .map((error) => ({
      ...locationAt(error.pos[0]),
      path: '',
      message: `not valid YAML: ${describeYamlError(error.message, text.slice(error.pos[0]))}`,
    }));
  const unset: Unset[] = [];
  const substituted = new Set<unknown>();
  const putIn = (node: unknown, path: Path): void => {
    if (isMap(node))
      for (const { key, value } of node.items) {
        const name = isScalar(key) ? String(key.value) : '?';
        const at = [...path, name];
        // As an object key it would be lost silently.
        if (name === '__proto__') {
          const location = locationAt(isScalar(key) ? (key.range?.[0] ?? 0) : 0);
          problems.push({
            ...location,
            path: pathText(at),
            message: 'found the name "__proto__": expected another name',
          });
        }
        putIn(value, at);
      }
    if (isSeq(node)) for (const [index, item] of node.items.entries()) putIn(item, [...path, index]);
    if (!isScalar(node) || typeof node.value !== 'string' || !node.value.includes('${')) return;
    const template = node.value;
    const location = locationAt(node.range?.[0] ?? 0);
    const at = { ...location, path: pathText(path) };
    const { text: value, missing: names, malformed } = substitute(template, env);
    if (names.length > 0)
      unset.push({ ...location, path, names, put: (standIn) => substitute(template, env, standIn).text });
    for (const what of malformed) {
      const message = `found ${what}, expected a variable name such as \${API_KEY} ($\${…} writes it literally)`;
      problems.push({ ...at, message });
    }
    node.value = value;
    substituted.add(node);
  };
  putIn(document.contents, []);
  const nodeAt = (path: Path): unknown => {
    const node: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
    return isAlias(node) ? (node.resolve(document) ?? node) : node;
  };
  const locationOf = (path: Path): SourceLocation => {
    for (let length = path.length; length >= 0; length -= 1) {
      const node = nodeAt(path.slice(0, length));
      if (isNode(node) && node.range) return locationAt(node.range[0]);
    }
    return { line: 1, column: 1 };
  };
  let data: unknown = null;
  if (document.errors.length === 0) {
    try {
      data = document.toJS({ maxAliasCount: 100 }) as unknown;
    } catch (error) {
      problems.push({
        line: 1,
        column: 1,
        path: '',
        message: `not valid YAML: ${describeYamlError(errorText(error))}`,
      });
    }
  }
  return {
    data,
    isYaml: document.errors.length === 0,
    problems,
    unset,
    locationOf,
    locationOfKey(path, key) {
      const map = nodeAt(path);
      const pair = isMap(map) ? map.items.find((item) => isScalar(item.key) && item.key.value === key) : undefined;
      return pair && isScalar(pair.key) && pair.key.range ? locationAt(pair.key.range[0]) : locationOf(path);
    },
    isSubstituted: (path) => substituted.has(nodeAt(path)),
  };
}
