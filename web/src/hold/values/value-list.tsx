// Values under the labels of their fields, as they are read and not edited.
import type { ReactNode } from 'react';
import { strings } from '../../i18n/strings.ts';
import { type Fact, Facts } from '../../ui/facts.tsx';
import { choicesOf } from '../decide/answers.ts';
import { oneLine, visible } from '../text/visible.ts';
import { type Dict, dictOf, isSame } from './dict.ts';
import { labelOf } from './humanise.ts';
import { formatValue } from './value-diff.ts';

const words = strings.hold;

export function ValueList({ schema, values }: { schema: Dict; values: Dict }): ReactNode {
  const properties = dictOf(schema['properties']);
  const facts = Object.entries(values).map(([name, value]): Fact => [
    labelOf(name, properties[name]),
    <span key={name} className="asis">
      {valueWords(properties[name], value)}
    </span>,
  ]);
  return <Facts className="values" facts={facts} />;
}

function valueWords(property: unknown, value: unknown): string {
  if ('$sealed' in dictOf(value)) return words.secretValue;
  const choice = choicesOf(property).find((one) => isSame(one.value, value));
  if (choice !== undefined) return oneLine(choice.title, 200);
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  return visible(formatValue(value));
}
