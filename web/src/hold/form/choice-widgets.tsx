// Choices: a named group for every ear, native controls inside.
import {
  enumOptionsIsSelected,
  enumOptionsSelectValue,
  enumOptionsDeselectValue,
  type EnumOptionsType,
  type RJSFSchema,
} from '@rjsf/utils';
import { type ReactNode, Suspense } from 'react';
import { lazyPart } from '../../base/live/lazy-part.ts';
import { strings } from '../../i18n/strings.ts';
import { Listbox, type Option as Choice } from '../../ui/listbox.tsx';
import { oneLine } from '../../base/text/visible.ts';
import { filteredFrom } from '../../ui/filter-choices.ts';
import { Mark } from './mark.tsx';
import { controlProps, isLocked, type Widget } from './text-widgets.tsx';

/** Few forms have such a list. */
const FindChoice = lazyPart(async () => (await import('../../ui/find-choice.tsx')).FindChoice);

type Option = EnumOptionsType;

const optionsOf = ({ options }: Widget): Option[] => (Array.isArray(options.enumOptions) ? options.enumOptions : []);

const labelOf = ({ label }: Option): string => oneLine(label, 200);

/** The legend is the label: the field's frame draws none for these. */
function Group(props: Widget & { children: ReactNode }): ReactNode {
  const { label, children, hideLabel } = props;
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
        {oneLine(label, 200)} <Mark of={props} />
      </legend>
      {children}
    </fieldset>
  );
}

export function RadioWidget(props: Widget): ReactNode {
  const { value, onChange } = props;
  return (
    <Group {...props}>
      <div className="choices">
        {optionsOf(props).map((option, index) => (
          <OneChoice
            key={`${index}-${String(option.value)}`}
            {...{ props, option, index }}
            type="radio"
            isChecked={enumOptionsIsSelected(option.value, asChoice(value))}
            onToggle={() => onChange(option.value)}
          />
        ))}
      </div>
    </Group>
  );
}

export function CheckboxesWidget(props: Widget): ReactNode {
  const { value, onChange } = props;
  const chosen = asChoices(Array.isArray(value) ? value : []);
  const all = optionsOf(props);
  return (
    <Group {...props}>
      {all.map((option, index) => (
        <OneChoice
          key={`${index}-${String(option.value)}`}
          {...{ props, option, index }}
          type="checkbox"
          isChecked={enumOptionsIsSelected(option.value, chosen)}
          onToggle={(isChecked) =>
            onChange((isChecked ? enumOptionsSelectValue : enumOptionsDeselectValue)(index, chosen, all))
          }
        />
      ))}
    </Group>
  );
}

interface ChoiceProps {
  props: Widget;
  option: Option;
  index: number;
  type: 'radio' | 'checkbox';
  isChecked: boolean;
  onToggle: (isChecked: boolean) => void;
}

function OneChoice({ props, option, index, type, isChecked, onToggle }: ChoiceProps): ReactNode {
  const { id, ...control } = controlProps(props);
  return (
    <label className="check">
      <input
        type={type}
        id={`${id}-${index}`}
        name={control.name}
        checked={isChecked}
        aria-invalid={control['aria-invalid']}
        aria-describedby={control['aria-describedby']}
        disabled={isLocked(props)}
        onChange={(event) => onToggle(event.target.checked)}
      />
      <span dir="auto">{labelOf(option)}</span>
    </label>
  );
}

export function SelectWidget(props: Widget): ReactNode {
  const { value, onChange, onBlur, options, id, label, hideLabel } = props;
  const all = optionsOf(props);
  const at = all.findIndex((option) => enumOptionsIsSelected(option.value, asChoice(value)));
  const control = controlProps(props);
  const choose = (index: number): void => {
    const option = all[index];
    onChange(option === undefined ? options.emptyValue : option.value);
  };
  // The field's own label is for this id.
  const shared = {
    id,
    label: hideLabel === true ? oneLine(label, 200) : null,
    isLocked: isLocked(props),
    isInvalid: control['aria-invalid'] === true,
    describedBy: control['aria-describedby'],
    onLeave: () => onBlur(id, value),
  };
  if (all.length >= filteredFrom) {
    return (
      <Suspense fallback={<span className="listbox" />}>
        <FindChoice {...shared} labels={all.map(labelOf)} chosen={at} onChoose={choose} />
      </Suspense>
    );
  }
  return (
    <Listbox
      {...shared}
      value={String(at)}
      options={[
        ['-1', strings.hold.form.choose],
        ...all.map((option, index): Choice => [String(index), labelOf(option)]),
      ]}
      onChoose={(index) => choose(Number(index))}
    />
  );
}

export function CheckboxWidget(props: Widget): ReactNode {
  const { value, onChange, label } = props;
  return (
    <label className="check">
      <input
        type="checkbox"
        {...controlProps(props)}
        checked={value === true}
        disabled={isLocked(props)}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span dir="auto">
        {oneLine(label, 200)} <Mark of={props} />
      </span>
    </label>
  );
}

// Safe: the library compares them with `===` and deep equality, whatever they are.
type Chosen = Parameters<typeof enumOptionsIsSelected<RJSFSchema>>[1];
const asChoice = (value: unknown): Chosen => value as Chosen;
const asChoices = (value: unknown[]): never[] => value as never[];
