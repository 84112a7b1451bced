// The fields of a form's first level: all of them, with what is optional and empty folded, or in sections when very many.
import type { ObjectFieldTemplatePropertyType, RJSFSchema } from '@rjsf/utils';
import { type ReactNode, useMemo } from 'react';
import { strings } from '../../strings.ts';
import { dictOf } from '../dict.ts';
import { typeOf } from '../schema-walk.ts';
import { oneLine } from '../visible.ts';
import { type FormContext, sectionsOf } from './form-context.ts';

interface Props {
  properties: readonly ObjectFieldTemplatePropertyType[];
  schema: RJSFSchema;
  context: FormContext;
}

export function RootFields({ properties, schema, context }: Props): ReactNode {
  if (context.asSections) return <Sections properties={properties} schema={schema} context={context} />;
  const folded = properties.filter(({ name }) => context.folded.includes(name));
  const key = 'folded';
  const isOpen = context.openSections.has(key);
  return (
    <div className="fields">
      {properties.filter(({ name }) => !context.folded.includes(name)).map(({ content }) => content)}
      {folded.length > 0 && (
        <Fold
          isOpen={isOpen}
          label={strings.hold.form.optionalFold(folded.length)}
          onOpen={() => context.onOpenSection(key)}
        >
          {folded.map(({ content }) => content)}
        </Fold>
      )}
    </div>
  );
}

function Sections({ properties, schema, context }: Props): ReactNode {
  const fields = dictOf(schema.properties);
  const sections = useMemo(() => {
    const isGroup = (name: string): boolean => ['object', 'array'].includes(typeOf(dictOf(fields[name])) ?? '');
    return sectionsOf(
      properties.map(({ name }) => name),
      isGroup,
    );
    // The names of a question's fields never change while it is shown.
  }, [properties.length]);
  const byName = new Map(properties.map((property) => [property.name, property.content]));
  return (
    <div className="fields">
      {sections.map((names) => {
        const [first = '', last = ''] = [names[0], names.at(-1)];
        const title =
          names.length === 1
            ? titleOf(fields[first], first)
            : `${titleOf(fields[first], first)} – ${titleOf(fields[last], last)}`;
        return (
          <Fold
            key={first}
            isOpen={context.openSections.has(first)}
            label={strings.hold.form.section(title, names.length)}
            onOpen={() => context.onOpenSection(first)}
          >
            {names.map((name) => byName.get(name))}
          </Fold>
        );
      })}
    </div>
  );
}

const titleOf = (schema: unknown, name: string): string => {
  const { title } = dictOf(schema);
  return oneLine(typeof title === 'string' ? title : name, 60);
};

/** Its fields are made when it is first opened, and stay then. */
function Fold({
  isOpen,
  label,
  onOpen,
  children,
}: {
  isOpen: boolean;
  label: string;
  onOpen: () => void;
  children: ReactNode;
}): ReactNode {
  return (
    <details className="section" open={isOpen}>
      <summary
        onClick={(event) => {
          if (isOpen) return;
          event.preventDefault();
          onOpen();
        }}
      >
        {label}
      </summary>
      {isOpen && <div className="fields">{children}</div>}
    </details>
  );
}
