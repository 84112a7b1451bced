// The fields of a form's first level: all of them, with what is optional and empty collapsed, or in sections when very many.
import type { ObjectFieldTemplatePropertyType } from '@rjsf/utils';
import type { ReactNode } from 'react';
import { strings } from '../../i18n/strings.ts';
import type { FormContext, Section } from './form-context.ts';

interface Props {
  properties: readonly ObjectFieldTemplatePropertyType[];
  context: FormContext;
}

export function RootFields({ properties, context }: Props): ReactNode {
  if (context.sections !== null)
    return <Sections sections={context.sections} properties={properties} context={context} />;
  const byName = new Map(properties.map(({ name, content }) => [name, content]));
  if (context.groups !== null)
    return (
      <div className="fields">
        {context.groups.map(({ title, names }) =>
          title === null ? (
            names.map((name) => byName.get(name))
          ) : (
            <fieldset key={title} className="form-group">
              <legend dir="auto">{title}</legend>
              <div className="fields">{names.map((name) => byName.get(name))}</div>
            </fieldset>
          ),
        )}
      </div>
    );
  return (
    <div className="fields">
      {properties.map(({ name, content }) => {
        const run = context.collapsed.find(({ names }) => names.includes(name));
        if (run === undefined) return content;
        // A run stands where its first field would: the order is the question's own.
        if (run.key !== name) return null;
        return (
          <Collapsible
            key={name}
            isOpen={context.openSections.has(name)}
            label={strings.hold.form.optionalCollapsed(run.names.length)}
            onOpen={() => context.onOpenSection(name)}
          >
            {run.names.map((one) => byName.get(one))}
          </Collapsible>
        );
      })}
    </div>
  );
}

function Sections({ sections, properties, context }: { sections: readonly Section[] } & Props): ReactNode {
  const byName = new Map(properties.map((property) => [property.name, property.content]));
  return (
    <div className="fields">
      {sections.map(({ key, title, names }) => (
        <Collapsible
          key={key}
          isOpen={context.openSections.has(key)}
          label={strings.hold.form.section(title, names.length)}
          onOpen={() => context.onOpenSection(key)}
        >
          {names.map((name) => byName.get(name))}
        </Collapsible>
      ))}
    </div>
  );
}

/** Its fields are made when it is first opened, and stay then. */
function Collapsible({
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
