// A title is a sentence of its own: a list of failures and `npm run spec` show it without the lines around it.
import { expect, test } from '@jest/globals';
import { titles } from './named-tests.ts';

const joining = 'also and but neither nor or that too whose';
/** Without those that are nouns too: `answers wait`. */
const verbs = `
  accepts activates adds applies approves are asks awaits becomes begins belongs binds breaks brings builds can
  cancels cannot carries chooses closes collapses collects come comes compares completes connects copies decide
  decides declares declines decodes delays deletes denies differ disarms do does draws drops edits emits encodes
  executes exits expires extends fails fills finds fits flips follows forges forgets gets gives goes grows
  has have hides ignores imports installs is judges keeps kills knows lasts launders leads learns leave leaves
  lets lies listens loads locks loses makes matches may mirrors mounts must narrows never notifies obeys occurs offers
  opens outlives parks passes pauses plays prints puts reach reaches reapplies reassigns receives refuses registers
  rejects reminds removes repeats replies restarts restates restores returns says sees sends sets shades
  shifts show shows signs skips sorts spares speaks stacks stalls stays stops subscribes survives take takes talks
  tells thinks tries uses verifies waits wants warns was were wins withdraws works would wraps`;
const refused = new Set(`${joining} ${verbs}`.trim().split(/\s+/));

/** What a table or a loop fills in: `%s`, `$name`, `${name}`. */
const isFilledIn = (start: string): boolean => /^(?:%|\$\w|\$\{.*\s)/.test(start);

test('a title says whom it is about: it begins with no verb, no word that joins it to another, no cell of a table', () => {
  const halves = [...titles].flatMap(([path, own]) =>
    [...own]
      .filter((title) => isFilledIn(title) || refused.has(title.split(/[\s,:]/)[0] ?? ''))
      .map((title) => `${path}: ${title}`),
  );
  expect(halves).toEqual([]);
});
