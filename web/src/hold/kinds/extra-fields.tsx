import { type ReactNode, type RefObject, Suspense, useMemo, useState } from 'react';
import { strings } from '../../i18n/strings.ts';
import type { ToolParts } from '../answer/answers.ts';
import { type Dict, dictOf } from '../values/dict.ts';
import type { FormHandle, PanelProps } from '../form/form-handle.ts';
import { usePane } from '../pane/pane.ts';
import { FormPanel, JsonPanel } from './form-kind.tsx';
import { shapeOf } from '../values/schema-walk.ts';

interface Props {
  parts: Pick<ToolParts, 'more' | 'required'>;
  handle: RefObject<FormHandle | null>;
}

/** What else the answer about a call may hold: a form where an approval needs some of it, else collapsed. */
export function ExtraFields({ parts, handle }: Props): ReactNode {
  const { hold, work, decision, lockedWhy, idPrefix } = usePane();
  const words = strings.hold;
  // Live updates bring equal copies of the question, and a form would take each for a new one.
  const [{ more, required }] = useState(parts);
  const [definitions] = useState(() => dictOf(hold.schema['$defs']));
  const schema = useMemo<Dict>(
    () => ({
      type: 'object',
      properties: Object.fromEntries(more),
      required,
      additionalProperties: false,
      ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }),
    }),
    [more, required, definitions],
  );
  const shape = useMemo(() => shapeOf(schema), [schema]);
  const [initial] = useState(() =>
    Object.fromEntries(more.flatMap(([name]) => (Object.hasOwn(work.values, name) ? [[name, work.values[name]]] : []))),
  );
  if (more.length === 0) return null;
  const shared = {
    handle,
    schema,
    onChange: (values: Dict): void => work.setValues({ ...withoutExtras(work.values, more), ...values }),
    isLocked: lockedWhy !== null,
    initial,
  };
  const loading = <p className="meta">{words.form.loading}</p>;
  if (required.length === 0) {
    return (
      <details className="fold-inline">
        <summary>{words.moreAnswer}</summary>
        <Suspense fallback={loading}>
          <JsonPanel {...shared} problems={none} />
        </Suspense>
      </details>
    );
  }
  return (
    <Suspense fallback={loading}>
      {shape.style === 'json' ? (
        <JsonPanel {...shared} problems={decision.problems} why={shape.why} />
      ) : (
        <FormPanel
          {...shared}
          problems={decision.problems}
          idPrefix={`${idPrefix}-more`}
          asSections={shape.style !== 'form'}
          asJson={shape.asJson}
          secretPaths={hold.secretPaths}
        />
      )}
    </Suspense>
  );
}

const none: PanelProps['problems'] = [];

function withoutExtras(values: Dict, more: ToolParts['more']): Dict {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !more.some(([extra]) => extra === name)));
}
