// The frame of each field, group and list: our markup in place of the library's Bootstrap.
import type {
  ArrayFieldItemTemplateProps,
  ArrayFieldTemplateProps,
  FieldErrorProps,
  FieldTemplateProps,
  MultiSchemaFieldTemplateProps,
  ObjectFieldTemplateProps,
  RJSFSchema,
} from '@rjsf/utils';
import { type ReactNode, useRef } from 'react';
import { IconButton } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icons.tsx';
import { strings } from '../../i18n/strings.ts';
import { oneLine, visible } from '../../base/text/visible.ts';
import { dictOf } from '../values/dict.ts';
import { typeOf } from '../values/schema-walk.ts';
import { ReadBlock } from '../reading/read-block.tsx';
import type { FormContext } from './form-context.ts';
import { Mark } from './mark.tsx';
import { RootFields } from './root-fields.tsx';

const ownLegend = new Set(['radio', 'checkboxes', 'checkbox']);

export function FieldTemplate(props: FieldTemplateProps<unknown, RJSFSchema, FormContext>): ReactNode {
  const { id, label, children, errors, hidden, displayLabel, schema, uiSchema } = props;
  if (hidden === true) return null;
  const widget: unknown = uiSchema?.['ui:widget'];
  const isGroup = schema.type === 'object' || (schema.type === 'array' && widget !== 'checkboxes');
  const hasLegend = typeof widget === 'string' && ownLegend.has(widget);
  if (isGroup || uiSchema?.['ui:field'] !== undefined) {
    return (
      <>
        {children}
        {errors}
      </>
    );
  }
  return (
    <ReadBlock kind="form" className={widget === 'textarea' ? 'field wide' : 'field'} dir="auto">
      {displayLabel === true && !hasLegend && (
        <label htmlFor={id}>
          <span>{oneLine(label, 200)}</span> <Mark of={props} />
        </label>
      )}
      {children}
      {errors}
      {hint(id, schema.description)}
    </ReadBlock>
  );
}

function hint(id: string, text: unknown): ReactNode {
  if (typeof text !== 'string' || text === '') return null;
  return (
    <p className="hint" id={`${id}__description`} dir="auto">
      {visible(text)}
    </p>
  );
}

export function FieldErrorTemplate({
  errors,
  fieldPathId,
}: FieldErrorProps<unknown, RJSFSchema, FormContext>): ReactNode {
  if (errors === undefined || errors.length === 0) return null;
  return (
    <p className="error" id={`${fieldPathId.$id}__error`} dir="auto">
      {errors.map((error) => (typeof error === 'string' ? visible(error) : error))}
    </p>
  );
}

export function ObjectFieldTemplate(props: ObjectFieldTemplateProps<unknown, RJSFSchema, FormContext>): ReactNode {
  const { title, description, fieldPathId, properties, registry } = props;
  if (fieldPathId.path.length === 0) {
    return <RootFields properties={properties} context={registry.formContext} />;
  }
  return (
    <ReadBlock as="fieldset" kind="form" id={fieldPathId.$id} className="group" dir="auto">
      {title !== '' && (
        <legend className="label" dir="auto">
          {oneLine(title, 200)}
        </legend>
      )}
      {hint(fieldPathId.$id, description)}
      {properties.map(({ content }) => content)}
    </ReadBlock>
  );
}

export function ArrayFieldTemplate(props: ArrayFieldTemplateProps<unknown, RJSFSchema, FormContext>): ReactNode {
  const { canAdd, disabled, readonly, fieldPathId, items, onAddClick, schema, title, rawErrors } = props;
  const hasErrors = rawErrors !== undefined && rawErrors.length > 0;
  const columns = columnsOf(schema);
  return (
    <ReadBlock
      as="fieldset"
      kind="form"
      id={fieldPathId.$id}
      className="group"
      dir="auto"
      aria-describedby={hasErrors ? `${fieldPathId.$id}__error` : undefined}
    >
      <legend className="label">
        <span>{oneLine(title, 200)}</span> <Mark of={props} />
      </legend>
      {hint(fieldPathId.$id, schema.description)}
      <ol
        className={columns === 0 ? 'entries' : 'entries table'}
        style={columns === 0 ? undefined : { ['--of' as string]: columns }}
      >
        {items}
      </ol>
      {canAdd === true && disabled !== true && readonly !== true && (
        <button type="button" className="button" onClick={onAddClick}>
          <Icon name="plus" /> {strings.hold.form.add(oneLine(entryTitle(schema) ?? title, 40))}
        </button>
      )}
    </ReadBlock>
  );
}

/** More have no room next to one another. */
const mostColumns = 5;

/** Like objects of a few plain values are a table: a column each; 0: they are not. */
function columnsOf({ items }: RJSFSchema): number {
  const fields = Object.values(dictOf(dictOf(items)['properties']));
  const arePlain = fields.every((field) => !['object', 'array', null].includes(typeOf(dictOf(field))));
  return arePlain && fields.length > 1 && fields.length <= mostColumns ? fields.length : 0;
}

const entryTitle = ({ items }: RJSFSchema): string | undefined => {
  const { title } = dictOf(items);
  return typeof title === 'string' && title !== '' ? title : undefined;
};

export function ArrayFieldItemTemplate(
  props: ArrayFieldItemTemplateProps<unknown, RJSFSchema, FormContext>,
): ReactNode {
  const { children, buttonsProps, index, disabled, readonly } = props;
  const { hasMoveDown, hasMoveUp, hasRemove, onMoveDownItem, onMoveUpItem, onRemoveItem } = buttonsProps;
  const words = strings.hold.form;
  const number = index + 1;
  const isLocked = disabled === true || readonly === true;
  const entry = useRef<HTMLLIElement>(null);
  /** The button may be gone, or elsewhere, once it has done what it says: what is at this place then has the focus. */
  const thenFocus = (at: number, selector: string) => {
    const list = entry.current?.closest('fieldset');
    requestAnimationFrame(() => {
      const next = list?.querySelectorAll(':scope > .entries > li')[at];
      const target = next?.querySelector<HTMLElement>(selector) ?? list?.querySelector<HTMLElement>(':scope > .button');
      target?.focus();
    });
  };
  const move = (act: () => void, to: number) => (): void => {
    act();
    thenFocus(to, '.entry-buttons button');
  };
  const remove = (): void => {
    onRemoveItem();
    thenFocus(index, 'input, textarea, button');
  };
  return (
    <li className="entry" ref={entry}>
      <div className="entry-fields">{children}</div>
      {!isLocked && (
        <div className="entry-buttons">
          {hasMoveUp && <IconButton icon="up" label={words.upItem(number)} onClick={move(onMoveUpItem, index - 1)} />}
          {hasMoveDown && (
            <IconButton icon="down" label={words.downItem(number)} onClick={move(onMoveDownItem, index + 1)} />
          )}
          {hasRemove && <IconButton icon="trash" label={words.removeItem(number)} onClick={remove} />}
        </div>
      )}
    </li>
  );
}

export function MultiSchemaFieldTemplate({
  selector,
  optionSchemaField,
}: MultiSchemaFieldTemplateProps<unknown, RJSFSchema, FormContext>): ReactNode {
  return (
    <div className="group">
      {selector}
      {optionSchemaField}
    </div>
  );
}
