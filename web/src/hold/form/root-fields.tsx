// The fields of a form's first level, block by block.
import type { ObjectFieldTemplatePropertyType } from '@rjsf/utils';
import type { ReactNode } from 'react';
import { ReadBlock } from '../reading/read-block.tsx';
import type { FormContext } from './form-context.ts';

interface Props {
  properties: readonly ObjectFieldTemplatePropertyType[];
  context: FormContext;
}

export function RootFields({ properties, context: { blocks, openBlocks, onOpenBlock } }: Props): ReactNode {
  const contents = new Map(properties.map(({ name, content }) => [name, content]));
  const placed = new Set(blocks.flatMap(({ names }) => names));
  return (
    <div className="fields">
      {blocks.map(({ key, title, names, isCollapsible, hasValues }) => {
        const fields = names.map((name) => contents.get(name));
        if (title === null) return fields;
        if (isCollapsible)
          return (
            <Collapsible
              key={key}
              isOpen={openBlocks.has(key)}
              label={title}
              hasValues={hasValues}
              onOpen={() => onOpenBlock(key)}
            >
              {fields}
            </Collapsible>
          );
        return (
          <ReadBlock as="fieldset" kind="form" key={key} className="form-group">
            <legend dir="auto">{title}</legend>
            <div className="fields">{fields}</div>
          </ReadBlock>
        );
      })}
      {/* What a condition adds. */}
      {properties.map(({ name, content }) => (placed.has(name) ? null : content))}
    </div>
  );
}

interface CollapsibleProps {
  isOpen: boolean;
  label: string;
  /** What is in it is sent: it is opened first. */
  hasValues: boolean;
  onOpen: () => void;
  children: ReactNode;
}

/** Its fields are made when it is first opened, and stay then. */
function Collapsible({ isOpen, label, hasValues, onOpen, children }: CollapsibleProps): ReactNode {
  return (
    <ReadBlock
      as="details"
      kind="form"
      className="section"
      open={isOpen}
      shows={String(isOpen)}
      isCut={!isOpen && hasValues}
      unfold={onOpen}
    >
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
    </ReadBlock>
  );
}
