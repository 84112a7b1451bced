// All that the form library may draw with: our templates and controls, and none of its own.
import type { RegistryFieldsType, RegistryWidgetsType, TemplatesType } from '@rjsf/utils';
import { CheckboxesWidget, CheckboxWidget, RadioWidget, SelectWidget } from './choice-widgets.tsx';
import { JsonField } from './json-field.tsx';
import {
  ArrayFieldItemTemplate,
  ArrayFieldTemplate,
  DescriptionTemplate,
  FieldErrorTemplate,
  FieldTemplate,
  MultiSchemaFieldTemplate,
  Nothing,
  ObjectFieldTemplate,
} from './templates.tsx';
import { DateWidget, MomentWidget } from './date-widgets.tsx';
import { NoFileWidget, PasswordWidget, TextareaWidget, TextWidget } from './text-widgets.tsx';

export const widgets: RegistryWidgetsType<unknown> = {
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

/** What has no controls of its own is written as JSON. */
export const fields: RegistryFieldsType<unknown> = {
  JsonField,
  FallbackField: JsonField,
  CyclicSchemaField: JsonField,
};

export const templates: TemplatesType<unknown> = {
  FieldTemplate,
  FieldErrorTemplate,
  DescriptionFieldTemplate: DescriptionTemplate,
  ObjectFieldTemplate,
  ArrayFieldTemplate,
  ArrayFieldItemTemplate,
  MultiSchemaFieldTemplate,
  // Parts that only the library's own templates draw.
  ArrayFieldDescriptionTemplate: Nothing,
  ArrayFieldItemButtonsTemplate: Nothing,
  ArrayFieldTitleTemplate: Nothing,
  BaseInputTemplate: Nothing,
  CyclicSchemaExpandTemplate: Nothing,
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
