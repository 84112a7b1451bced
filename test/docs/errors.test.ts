// One list of codes: the source, its document, and the places that raise them.
import { describe, expect, test } from '@jest/globals';
import { problems, type ProblemEntry } from '../../src/contract/base/problem.ts';
import { filesBelow, read, withoutComments } from '../source-tree.ts';

const entries: [string, ProblemEntry][] = Object.entries(problems);

describe('the codes', () => {
  test('the codes named anywhere in the documents are codes that exist', () => {
    const likeCodes =
      /`((?:input|not|rate|run|interrupts?|hold|digest|payload|decision|worker|engine|store|agent|send|task)_[a-z_]+)`/g;
    const known = new Set(entries.map(([code]) => code));
    const documents = ['README.md', ...filesBelow('docs', (path) => path.endsWith('.md'))];
    const unknown = documents.flatMap((path) =>
      [...read(path).matchAll(likeCodes)].map(([, code = '']) => code).filter((code) => !known.has(code)),
    );
    // A reason of AG-UI's, an operator's choice, a cause of a stuck task, and a table.
    const others = ['input_required', 'send_again', 'agent_away', 'send_intents'];
    expect(unknown.filter((word) => !others.includes(word))).toEqual([]);
  });

  test('the codes that are in the list are raised somewhere', () => {
    const sources = filesBelow('src', (path) => path.endsWith('.ts') && path !== 'src/contract/base/problem.ts');
    const code = sources.map((path) => withoutComments(read(path))).join('\n');
    const unused = entries.map(([name]) => name).filter((name) => !new RegExp(`['"]${name}['"]`).test(code));
    expect(unused).toEqual([]);
  });
});
