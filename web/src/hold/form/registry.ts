// Replaces the form library's own registry (web/lean-packages.ts): its fields, with our templates and controls alone.
import type { Field, Registry, RegistryWidgetsType, TemplatesType } from '@rjsf/utils';
import ArrayField from '@rjsf/core/lib/components/fields/ArrayField.js';
import BooleanField from '@rjsf/core/lib/components/fields/BooleanField.js';
import MultiSchemaField from '@rjsf/core/lib/components/fields/MultiSchemaField.js';
import NullField from '@rjsf/core/lib/components/fields/NullField.js';
import NumberField from '@rjsf/core/lib/components/fields/NumberField.js';
import ObjectField from '@rjsf/core/lib/components/fields/ObjectField.js';
import SchemaField from '@rjsf/core/lib/components/fields/SchemaField.js';
import StringField from '@rjsf/core/lib/components/fields/StringField.js';
import { CheckboxesWidget, CheckboxWidget, RadioWidget, SelectWidget } from './choice-widgets.tsx';
import { DateWidget, MomentWidget } from './date-widgets.tsx';
import { translateString } from './field-message.ts';
import { idSeparator } from './form-context.ts';
import { JsonField } from './json-field.tsx';
import * as drawn from './templates.tsx';
import { NoFileWidget, PasswordWidget, TextareaWidget, TextWidget } from './text-widgets.tsx';

/** For parts that the library would draw its own way. */
const Nothing = (): null => null;

const widgets: RegistryWidgetsType<unknown> = {
  TextWidget,
  TextareaWidget,
  PasswordWidget,
  EmailWidget: TextWidget,
  URLWidget: TextWidget,
  DateWidget,
  DateTimeWidget: MomentWidget,
  TimeWidget: TextWidget,
  UpDownWidget: TextWidget,
  RangeWidget: TextWidget,
  ColorWidget: TextWidget,
  SelectWidget,
  RadioWidget,
  CheckboxWidget,
  CheckboxesWidget,
  FileWidget: NoFileWidget,
};

const templates: TemplatesType<unknown> = {
  ...drawn,
  // Parts that only the library's own templates draw.
  ArrayFieldDescriptionTemplate: Nothing,
  ArrayFieldItemButtonsTemplate: Nothing,
  ArrayFieldTitleTemplate: Nothing,
  BaseInputTemplate: Nothing,
  CyclicSchemaExpandTemplate: Nothing,
  DescriptionFieldTemplate: Nothing,
  ErrorListTemplate: Nothing,
  FallbackFieldTemplate: Nothing,
  FieldHelpTemplate: Nothing,
  GridTemplate: Nothing,
  OptionalDataControlsTemplate: Nothing,
  TitleFieldTemplate: Nothing,
  UnsupportedFieldTemplate: Nothing,
  WrapIfAdditionalTemplate: Nothing,
  ButtonTemplates: {
    SubmitButton: Nothing,
    AddButton: Nothing,
    ClearButton: Nothing,
    CopyButton: Nothing,
    MoveDownButton: Nothing,
    MoveUpButton: Nothing,
    RemoveButton: Nothing,
  },
};

// Safe: the library hands each field data of its own type; its types say so more narrowly than its calls.
const asField = (field: unknown): Field<unknown> => field as Field<unknown>;

export function formRegistry(): Omit<Registry<unknown>, 'schemaUtils'> {
  return {
    fields: {
      ArrayField: asField(ArrayField),
      BooleanField: asField(BooleanField),
      NullField: asField(NullField),
      NumberField: asField(NumberField),
      ObjectField: asField(ObjectField),
      SchemaField: asField(SchemaField),
      StringField: asField(StringField),
      AnyOfField: asField(MultiSchemaField),
      OneOfField: asField(MultiSchemaField),
      // What has no controls of its own is written as JSON.
      JsonField,
      FallbackField: JsonField,
      CyclicSchemaField: JsonField,
    },
    templates,
    widgets,
    rootSchema: {},
    formContext: {},
    translateString,
    globalFormOptions: { idPrefix: 'q', idSeparator, useFallbackUiForUnsupportedType: false },
  };
}
