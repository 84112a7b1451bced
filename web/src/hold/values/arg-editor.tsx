// One argument, edited as what it is: text, a number, yes or no, a choice, else JSON.
import { type ReactNode, useEffect, useId, useState } from 'react';
import { Listbox } from '../../ui/listbox.tsx';
import { strings } from '../../i18n/strings.ts';
import { choicesOf } from './choices.ts';
import { type Dict, isSame } from './dict.ts';
import { typeOf } from './schema-walk.ts';
import { formatValue } from './value-diff.ts';

interface Props {
  name: string;
  proposed: unknown;
  value: unknown;
  schema: Dict;
  onChange: (value: unknown) => void;
  /** One of the choices was taken, and there is nothing more to write. */
  onChosen: () => void;
  onWrong: (isWrong: boolean) => void;
}

export function ArgEditor(props: Props): ReactNode {
  const { name, value, schema, onChange, onChosen } = props;
  // As it begins: a field that became another one while one types would lose the focus.
  const [isLong] = useState(() => typeof value === 'string' && (value.length > 60 || value.includes('\n')));
  const label = strings.hold.editArg(name);
  const type = kindOf(props);
  const given = choicesOf(schema);
  const choices = given.length === 0 && type === 'boolean' ? yesOrNo : given;
  if (choices.length > 0) {
    const at = choices.findIndex((choice) => isSame(choice.value, value));
    return (
      <Listbox
        label={label}
        value={String(at)}
        placeholder={strings.hold.form.choose}
        options={choices.map(({ title }, index) => [String(index), title])}
        onChoose={(index) => {
          onChange(choices[Number(index)]?.value);
          onChosen();
        }}
      />
    );
  }
  if (type === 'string') {
    const text = typeof value === 'string' ? value : '';
    const common = { 'aria-label': label, value: text, dir: 'auto' as const };
    return isLong ? (
      <textarea {...common} rows={3} onChange={(event) => onChange(event.target.value)} />
    ) : (
      <input {...common} type="text" onChange={(event) => onChange(event.target.value)} />
    );
  }
  return <ParsedEditor {...props} label={label} isNumber={type === 'number'} isWhole={schema['type'] === 'integer'} />;
}

const yesOrNo: ReturnType<typeof choicesOf> = [
  { value: true, title: strings.hold.yes },
  { value: false, title: strings.hold.no },
];

function kindOf({ proposed, value, schema }: Props): 'string' | 'number' | 'boolean' | 'json' {
  const type = typeOf(schema) ?? typeof (proposed ?? value);
  if (type === 'string' || type === 'boolean') return type;
  return type === 'number' || type === 'integer' ? 'number' : 'json';
}

/** Text that becomes a value: kept as typed while it is none. */
function ParsedEditor(props: Props & { label: string; isNumber: boolean; isWhole: boolean }): ReactNode {
  const { value, label, isNumber, isWhole, onChange, onWrong } = props;
  const id = useId();
  const [text, setText] = useState(formatValue(value));
  const [error, setError] = useState<string | null>(null);
  // Set from outside (undone, another draft): what is typed follows.
  useEffect(() => {
    setText((typed) => {
      const read = parse(typed, isNumber, isWhole);
      return 'value' in read && isSame(read.value, value) ? typed : formatValue(value);
    });
    setError(null);
    return () => onWrong(false);
    // Only a new value from outside: the callbacks change with every render.
  }, [value, isNumber, isWhole]);
  const change = (next: string): void => {
    setText(next);
    const read = parse(next, isNumber, isWhole);
    setError('why' in read ? read.why : null);
    onWrong('why' in read);
    if ('value' in read && !isSame(read.value, value)) onChange(read.value);
  };
  const common = {
    'aria-label': label,
    'aria-invalid': error !== null || undefined,
    'aria-describedby': error === null ? undefined : id,
    value: text,
  };
  return (
    <>
      {isNumber ? (
        <input
          {...common}
          className="num"
          type="text"
          inputMode="decimal"
          onChange={(event) => change(event.target.value)}
        />
      ) : (
        <textarea
          {...common}
          className="mono"
          rows={Math.min(8, text.split('\n').length + 1)}
          spellCheck={false}
          onChange={(event) => change(event.target.value)}
        />
      )}
      {error !== null && (
        <p className="error" id={id}>
          {error}
        </p>
      )}
    </>
  );
}

function parse(text: string, isNumber: boolean, isWhole: boolean): { value: unknown } | { why: string } {
  const words = strings.hold.form;
  if (isNumber) {
    const plain = text.trim().replace(/^−/u, '-');
    const number = plain === '' ? Number.NaN : Number(plain);
    if (!Number.isFinite(number)) return { why: words.type(['number']) };
    return isWhole && !Number.isInteger(number) ? { why: words.type(['integer']) } : { value: number };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { why: words.jsonSyntax };
  }
}
