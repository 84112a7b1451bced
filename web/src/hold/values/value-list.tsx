// Values under the labels of their fields, as they are read and not edited.
import type { ReactNode } from 'react';
import { strings } from '../../i18n/strings.ts';
import { type Fact, Facts } from '../../ui/facts.tsx';
import { choicesOf } from './choices.ts';
import { oneLine, visible } from '../../base/text/visible.ts';
import { type Dict, dictOf, isSame } from './dict.ts';
import { headsOf, tableOf } from './tables.ts';
import { labelOf } from './humanise.ts';
import { fieldWords } from './plain-words.ts';
import { formatValue } from './value-diff.ts';

const words = strings.hold;

interface Props {
  schema: Dict;
  values: Dict;
  /** What the agent had proposed: where a value is another one, both are shown. */
  proposed?: Dict;
  /** Edits one of them; null, or left out: they are only read. */
  onEdit?: ((name: string) => void) | null;
}

export function ValueList({ schema, values, proposed = {}, onEdit = null }: Props): ReactNode {
  const properties = dictOf(schema['properties']);
  // As the form has them; what it does not name comes last.
  const names = [...new Set([...Object.keys(properties), ...Object.keys(values)])].filter((name) =>
    Object.hasOwn(values, name),
  );
  const wordsOf = (name: string, value: unknown): string =>
    valueWords(properties[name], value, (one) => fieldWords(one, name, values));
  const facts = names.map((name): Fact => [
    labelOf(name, properties[name]),
    onEdit === null ? (
      <span key={name} className="asis">
        {wordsOf(name, values[name])}
        {Object.hasOwn(proposed, name) && !isSame(proposed[name], values[name]) && (
          <span className="meta"> {words.changedFrom(wordsOf(name, proposed[name]))}</span>
        )}
      </span>
    ) : (
      <button
        key={name}
        type="button"
        className="value-edit asis"
        aria-label={words.editValue(labelOf(name, properties[name]), wordsOf(name, values[name]))}
        onClick={() => onEdit(name)}
      >
        {wordsOf(name, values[name])}
      </button>
    ),
  ]);
  return <Facts className="values" facts={facts} />;
}

/** Longer lists are JSON. */
const mostLines = 200;

/** A value as its field has it: a choice by its title, a secret as one, money with the decimals of its currency. */
export function valueWords(property: unknown, value: unknown, wordsOf: (value: unknown) => string | null): string {
  if ('$sealed' in dictOf(value)) return words.secretValue;
  const choice = choicesOf(property).find((one) => isSame(one.value, value));
  if (choice !== undefined) return oneLine(choice.title, 200);
  return wordsOf(value) ?? visible(listWords(value) ?? formatValue(value));
}

/** A list of like objects, a line each; null: it is none, or longer than that. */
function listWords(value: unknown): string | null {
  const table = tableOf(value);
  if (table === null || table.rows.length > mostLines) return null;
  const names = headsOf(table);
  return table.rows.map((row) => row.map((cell, at) => `${names[at]} ${cell}`).join(' · ')).join('\n');
}
