// Choices: a named group for every ear, native controls inside.
import {
  enumOptionsIsSelected,
  enumOptionsSelectValue,
  enumOptionsDeselectValue,
  type EnumOptionsType,
  type RJSFSchema,
} from '@rjsf/utils';
import type { ReactNode } from 'react';
import { strings } from '../../i18n/strings.ts';
import { oneLine } from '../text/visible.ts';
import { contextOf } from './form-context.ts';
import { Mark } from './mark.tsx';
import { controlProps, type Widget } from './text-widgets.tsx';

type Option = EnumOptionsType;

const optionsOf = ({ options }: Widget): Option[] => (Array.isArray(options.enumOptions) ? options.enumOptions : []);

const said = ({ label }: Option): string => oneLine(label, 200);

const isLockedNow = ({ disabled, readonly }: Widget): boolean => disabled === true || readonly === true;

/** The legend is the label: the field's frame draws none for these. */
function Group(props: Widget & { children: ReactNode }): ReactNode {
  const { label, required, registry, children, hideLabel } = props;
  const { id, 'aria-describedby': describedBy, 'aria-invalid': invalid } = controlProps(props);
  return (
    <fieldset
      id={id}
      className="choice-list"
      aria-describedby={describedBy}
      aria-invalid={undefined}
      data-invalid={invalid}
    >
      <legend className={hideLabel === true ? 'sr-only' : 'label'}>
        {oneLine(label, 200)} <Mark isRequired={required === true} mark={contextOf(registry.formContext).mark} />
      </legend>
      {children}
    </fieldset>
  );
}

export function RadioWidget(props: Widget): ReactNode {
  const { value, onChange } = props;
  const { id, name, 'aria-invalid': invalid, 'aria-describedby': describedBy } = controlProps(props);
  return (
    <Group {...props}>
      {optionsOf(props).map((option, index) => (
        <label key={`${index}-${String(option.value)}`} className="check">
          <input
            type="radio"
            id={`${id}-${index}`}
            name={name}
            checked={enumOptionsIsSelected(option.value, asChoice(value))}
            aria-invalid={invalid}
            aria-describedby={describedBy}
            disabled={isLockedNow(props)}
            onChange={() => onChange(option.value)}
          />
          <span dir="auto">{said(option)}</span>
        </label>
      ))}
    </Group>
  );
}

export function CheckboxesWidget(props: Widget): ReactNode {
  const { value, onChange } = props;
  const { id, name, 'aria-invalid': invalid, 'aria-describedby': describedBy } = controlProps(props);
  const chosen: unknown[] = Array.isArray(value) ? value : [];
  const all = optionsOf(props);
  return (
    <Group {...props}>
      {all.map((option, index) => (
        <label key={`${index}-${String(option.value)}`} className="check">
          <input
            type="checkbox"
            id={`${id}-${index}`}
            name={name}
            checked={enumOptionsIsSelected(option.value, asChoices(chosen))}
            aria-invalid={invalid}
            aria-describedby={describedBy}
            disabled={isLockedNow(props)}
            onChange={(event) =>
              onChange(
                event.target.checked
                  ? enumOptionsSelectValue(index, asChoices(chosen), all)
                  : enumOptionsDeselectValue(index, asChoices(chosen), all),
              )
            }
          />
          <span dir="auto">{said(option)}</span>
        </label>
      ))}
    </Group>
  );
}

export function SelectWidget(props: Widget): ReactNode {
  const { value, onChange, onBlur, options, id } = props;
  const all = optionsOf(props);
  const at = all.findIndex((option) => enumOptionsIsSelected(option.value, asChoice(value)));
  return (
    <select
      {...controlProps(props)}
      value={at}
      disabled={isLockedNow(props)}
      onChange={(event) => {
        const option = all[Number(event.target.value)];
        onChange(option === undefined ? options.emptyValue : option.value);
      }}
      onBlur={() => onBlur(id, value)}
    >
      <option value={-1}>{strings.hold.form.choose}</option>
      {all.map((option, index) => (
        <option key={`${index}-${String(option.value)}`} value={index}>
          {said(option)}
        </option>
      ))}
    </select>
  );
}

export function CheckboxWidget(props: Widget): ReactNode {
  const { value, onChange, label, required, registry } = props;
  return (
    <label className="check">
      <input
        type="checkbox"
        {...controlProps(props)}
        checked={value === true}
        disabled={isLockedNow(props)}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span dir="auto">
        {oneLine(label, 200)} <Mark isRequired={required === true} mark={contextOf(registry.formContext).mark} />
      </span>
    </label>
  );
}

// Safe: the library compares them with `===` and deep equality, whatever they are.
type Choice = Parameters<typeof enumOptionsIsSelected<RJSFSchema>>[1];
const asChoice = (value: unknown): Choice => value as Choice;
const asChoices = (value: unknown[]): never[] => value as never[];
