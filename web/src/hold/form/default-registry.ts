// Stands in for the form library's own registry (vite.config.ts): its fields without its widgets, templates and layout grid.
import { type Field, type FormContextType, type Registry, type RJSFSchema } from '@rjsf/utils';
import ArrayField from '@rjsf/core/lib/components/fields/ArrayField.js';
import BooleanField from '@rjsf/core/lib/components/fields/BooleanField.js';
import MultiSchemaField from '@rjsf/core/lib/components/fields/MultiSchemaField.js';
import NullField from '@rjsf/core/lib/components/fields/NullField.js';
import NumberField from '@rjsf/core/lib/components/fields/NumberField.js';
import ObjectField from '@rjsf/core/lib/components/fields/ObjectField.js';
import SchemaField from '@rjsf/core/lib/components/fields/SchemaField.js';
import StringField from '@rjsf/core/lib/components/fields/StringField.js';
import { translateString } from './field-message.ts';
import { fields, templates, widgets } from './registry.ts';

// Safe: the library hands each field data of its own type; its types say so more narrowly than its calls.
const asField = (field: unknown): Field<unknown> => field as Field<unknown>;

export function formRegistry(): Omit<Registry<unknown, RJSFSchema, FormContextType>, 'schemaUtils'> {
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
      ...fields,
    },
    templates,
    widgets,
    rootSchema: {},
    formContext: {},
    translateString,
    globalFormOptions: { idPrefix: 'q', idSeparator: '.', useFallbackUiForUnsupportedType: false },
  };
}
