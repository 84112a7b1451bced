// The answer as JSON, for questions no form can be drawn of: checked as a form is, each mistake named with its line.
import { type ReactNode, useEffect, useId, useImperativeHandle, useState } from 'react';
import { strings } from '../../i18n/strings.ts';
import { EndMark, useBlock } from '../reading/read-block.tsx';
import { type Dict, isDict } from '../values/dict.ts';
import { visible } from '../../base/text/visible.ts';
import { ErrorSummary } from './error-summary.tsx';
import { type PanelProps, serverPath } from './form-handle.ts';
import { brokenLine, lineOf } from './json-lines.ts';
import { fieldProblems } from './validator.ts';

interface Props extends PanelProps {
  /** What was typed before and could not be read yet. */
  typed?: string;
  onText?: (text: string) => void;
  why?: string | null;
  fields?: number;
  onDraw?: () => void;
}

const words = strings.hold.form;

export function JsonPanel(props: Props): ReactNode {
  const { handle, onReady, schema, initial, onChange, problems, isLocked = false } = props;
  const { typed = '', onText, why = null, fields, onDraw } = props;
  const id = useId();
  const [text, setText] = useState(() => (typed === '' ? JSON.stringify(initial, null, 2) : typed));
  const { id: mark, ref: area } = useBlock<HTMLTextAreaElement>({ kind: 'form', shows: String(text.length) });
  const [errors, setErrors] = useState<string[]>([]);
  const [round, setRound] = useState(0);

  useEffect(() => {
    if (problems.length === 0) return;
    setErrors(problems.map(({ path, message }) => words.jsonWrong(lineOf(text, serverPath(path)), visible(message))));
    setRound((n) => n + 1);
    // Only the server's new problems; the text may go on changing.
  }, [problems]);
  useEffect(() => onReady?.(), [onReady]);

  useImperativeHandle(handle, () => ({
    read: () => {
      const { values, wrong } = checked(text, schema);
      setErrors(wrong);
      if (values !== null && wrong.length === 0) return values;
      setRound((n) => n + 1);
      return null;
    },
    focusFirst: () => area.current?.focus(),
  }));

  return (
    <div className="json-panel">
      <p className="meta">
        {why === null ? (fields === undefined ? words.asJson : words.asJsonBig(fields)) : words.asJsonWhy(why)}
      </p>
      {onDraw !== undefined && (
        <button type="button" className="button" onClick={onDraw}>
          {words.drawAnyway}
        </button>
      )}
      <ErrorSummary id={`${id}-wrong`} lines={errors.map((line) => ({ fieldId: null, text: line }))} round={round} />
      <div className="field">
        <label htmlFor={id}>{words.jsonLabel}</label>
        <textarea
          id={id}
          ref={area}
          className="mono json"
          rows={Math.min(24, Math.max(8, text.split('\n').length + 1))}
          spellCheck={false}
          readOnly={isLocked}
          aria-invalid={errors.length > 0 || undefined}
          aria-describedby={errors.length > 0 ? `${id}-wrong` : undefined}
          value={text}
          onChange={(event) => {
            const next = event.target.value;
            setText(next);
            const { values, wrong } = checked(next, schema);
            if (errors.length > 0) setErrors(wrong);
            if (values === null) onText?.(next);
            else onChange(values);
          }}
        />
        <EndMark id={mark} />
      </div>
      <details className="fold-inline">
        <summary>{words.jsonSchema}</summary>
        <pre tabIndex={0}>{visible(JSON.stringify(schema, null, 2))}</pre>
      </details>
    </div>
  );
}

function checked(text: string, schema: Dict): { values: Dict | null; wrong: string[] } {
  try {
    const values: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    if (!isDict(values)) return { values: null, wrong: [words.jsonWrong(1, words.jsonObject)] };
    const wrong = fieldProblems(schema, values).map(({ path, message }) =>
      words.jsonWrong(lineOf(text, path), path.length === 0 ? message : words.place(path.join(' › '), message)),
    );
    return { values, wrong };
  } catch (error) {
    const line = brokenLine(text, error instanceof Error ? error.message : '');
    return { values: null, wrong: [words.jsonWrong(line, words.jsonSyntax)] };
  }
}
