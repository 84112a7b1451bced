// A call's arguments as rows to read, of which one at a time is edited in its place.
import { type KeyboardEvent, type ReactNode, type RefObject, useState } from 'react';
import { flushSync } from 'react-dom';
import { useKeys } from '../../base/page/keys.ts';
import { oneLine, visible } from '../../base/text/visible.ts';
import { strings } from '../../i18n/strings.ts';
import { IconButton } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icons.tsx';
import { EndMark, useBlock } from '../reading/read-block.tsx';
import { tableOf } from './tables.ts';
import { Change, labelAt, schemaAt, Value, type ValueProps, valueText } from './arg-cells.tsx';
import { ArgEditor } from './arg-editor.tsx';
import { type Dict, isSame, withValue } from './dict.ts';
import { LastMark, useLastCall } from './last-call.tsx';
import { type ArgRow, diffArgs } from './value-diff.ts';

const words = strings.hold;
const spokenChars = 200;

interface Props {
  proposed: Dict;
  sent: Dict;
  schema: Dict;
  onChange: (next: Dict) => void;
  onWrong: (isWrong: boolean) => void;
}

/** The row that is edited, and what it was before. */
interface Editing {
  name: string;
  before: unknown;
}

const nameOf = ({ path }: ArgRow): string => path.join('.');

export function EditTable({ proposed, sent, schema, onChange, onWrong }: Props): ReactNode {
  const rows = diffArgs(proposed, sent);
  const set = ({ path }: ArgRow, value: unknown): void => onChange(withValue(sent, path, value));
  const { id, ref: table } = useBlock<HTMLTableElement>({ kind: 'arguments' });
  const { edited, edit, close, onKeyDown } = useRowEditing(table, rows, set);
  if (rows.length === 0) return <p className="meta">{words.noArguments}</p>;
  return (
    <>
      <table className="args" ref={table}>
        <thead>
          <tr>
            <th scope="col">{words.argument}</th>
            <th scope="col">{words.youSend}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <Row
              key={nameOf(row)}
              {...{ row, schema, sent, onWrong }}
              isFirst={index === 0}
              isEdited={edited === nameOf(row)}
              onEdit={() => edit(row)}
              onClose={() => close(row)}
              onKeyDown={(event) => onKeyDown(row, event)}
              onChange={(value) => set(row, value)}
            />
          ))}
        </tbody>
      </table>
      <EndMark id={id} />
    </>
  );
}

interface RowEditing {
  /** Name of the row that is edited. */
  edited: string | null;
  edit: (row: ArgRow) => void;
  close: (row: ArgRow) => void;
  onKeyDown: (row: ArgRow, event: KeyboardEvent) => void;
}

/** One row at a time: its field has the focus, and gives it back to the row. */
function useRowEditing(
  table: RefObject<HTMLTableElement | null>,
  rows: readonly ArgRow[],
  set: (row: ArgRow, value: unknown) => void,
): RowEditing {
  const [editing, setEditing] = useState<Editing | null>(null);
  const focusIn = (name: string, what: string): HTMLElement | null => {
    const row = [...(table.current?.tBodies[0]?.rows ?? [])].find((one) => one.dataset['arg'] === name);
    const found = row?.querySelector<HTMLElement>(what) ?? null;
    found?.focus();
    return found;
  };
  const edit = (row: ArgRow): void => {
    // What is not a value yet is put right, or taken back, first.
    if (editing !== null && focusIn(editing.name, '[aria-invalid="true"]') !== null) return;
    flushSync(() => setEditing({ name: nameOf(row), before: row.now }));
    const field = focusIn(nameOf(row), 'input, textarea, [role="combobox"]');
    // A choice shows at once what there is to choose.
    if (field?.role === 'combobox') field.click();
    else if (field instanceof HTMLInputElement) field.select();
  };
  const close = (row: ArgRow): void => {
    flushSync(() => setEditing(null));
    focusIn(nameOf(row), '.value-edit');
  };
  const onKeyDown = (row: ArgRow, event: KeyboardEvent): void => {
    const { target, key } = event;
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
    const isKept = key === 'Enter' && target instanceof HTMLInputElement && target.ariaInvalid !== 'true';
    if (key !== 'Escape' && !isKept) return;
    if (!isKept && !isSame(row.now, editing?.before)) set(row, editing?.before);
    event.preventDefault();
    event.stopPropagation();
    close(row);
  };
  useKeys({
    e: ({ target }) => {
      const at = target instanceof Element ? target.closest('tr')?.dataset['arg'] : undefined;
      const row = rows.find((one) => nameOf(one) === at) ?? rows[0];
      return row === undefined ? false : edit(row);
    },
  });
  return { edited: editing?.name ?? null, edit, close, onKeyDown };
}

interface RowProps extends Pick<Props, 'schema' | 'sent' | 'onWrong'> {
  row: ArgRow;
  /** The one that its key edits from anywhere on the page. */
  isFirst: boolean;
  isEdited: boolean;
  onEdit: () => void;
  onClose: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onChange: (value: unknown) => void;
}

function Row({ row, schema, sent, isFirst, isEdited, onKeyDown, ...on }: RowProps): ReactNode {
  const against = useLastCall();
  const label = labelAt(schema, row.path);
  return (
    <tr data-arg={nameOf(row)} data-change={row.kind} data-last={against(row.path)}>
      <th scope="row" dir="auto">
        {visible(label)}
      </th>
      <td onKeyDown={isEdited ? onKeyDown : undefined}>
        {isEdited ? (
          <ArgEditor
            name={label}
            proposed={row.before}
            value={row.now}
            schema={schemaAt(schema, row.path)}
            onChange={on.onChange}
            onChosen={on.onClose}
            onWrong={on.onWrong}
          />
        ) : (
          <ReadValue {...{ label, isFirst }} value={row.now} path={row.path} values={sent} onEdit={on.onEdit} />
        )}
        {row.kind !== 'same' && (
          <p className="arg-change">
            <Change row={row} />
            {row.delta !== null && <del className="num">{valueText(row.before, row.path, sent)}</del>}
            <IconButton icon="undo" label={words.revert(label)} onClick={() => on.onChange(row.before)} />
          </p>
        )}
        <LastMark path={row.path} values={sent} />
      </td>
    </tr>
  );
}

interface ReadValueProps extends ValueProps, Pick<RowProps, 'isFirst' | 'onEdit'> {
  label: string;
}

/** A value to read, and the press that edits it. */
function ReadValue({ label, isFirst, onEdit, ...of }: ReadValueProps): ReactNode {
  const text = valueText(of.value, of.path, of.values);
  // What does not fit into the name of a button is no part of one: it is read next to it.
  const isApart = tableOf(of.value) !== null || text.length > spokenChars;
  return (
    <>
      {isApart && <Value {...of} />}
      <button
        type="button"
        className="value-edit"
        aria-label={words.editValue(label, oneLine(text, spokenChars))}
        data-key={isFirst ? 'e' : undefined}
        onClick={onEdit}
      >
        {!isApart && <Value {...of} />}
        <Icon name="pencil" />
      </button>
    </>
  );
}
