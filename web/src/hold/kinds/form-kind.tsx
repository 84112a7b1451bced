import { type ReactNode, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { strings } from '../../i18n/strings.ts';
import { resolved } from '../answer/answers.ts';
import { DecisionBar } from '../decide/decision-bar.tsx';
import { type Dict, listOf } from '../values/dict.ts';
import { FormBoundary } from '../form/form-boundary.tsx';
import type { FormHandle } from '../form/form-handle.ts';
import { declineAction, sendAction } from '../decide/actions.ts';
import { answerMeans } from '../decide/means.ts';
import { lazyPart, whenIdle } from '../../base/live/lazy-part.ts';
import { usePane } from '../pane/pane.ts';
import { shapeOf } from '../values/schema-walk.ts';

export const FormPanel = lazyPart(async () => (await import('../form/form-panel.tsx')).FormPanel);
export const JsonPanel = lazyPart(async () => (await import('../form/json-panel.tsx')).JsonPanel);
const VerdictForm = lazyPart(async () => (await import('../form/verdict-form.tsx')).VerdictForm);

/** A form: with two buttons where it has a field that decides, else to be filled in and sent. */
export function FormKind(): ReactNode {
  const { hold } = usePane();
  const [{ schema, decides }] = useState(hold);
  const shape = useMemo(() => shapeOf(schema), [schema]);
  const [isBroken, setBroken] = useState(false);
  if (decides === null || shape.style !== 'form' || isBroken) return <WholeForm />;
  return (
    <FormBoundary onBroken={() => setBroken(true)}>
      <Suspense fallback={<p className="meta form-loading">{strings.hold.form.loading}</p>}>
        <VerdictForm shape={shape} />
      </Suspense>
    </FormBoundary>
  );
}

/** The form, which comes in a chunk of its own: what is asked of it before is done once it is there. */
function useLateForm() {
  const handle = useRef<FormHandle>(null);
  const wantsFocus = useRef(false);
  const [isLoading, setLoading] = useState(true);
  const onReady = useCallback(() => {
    setLoading(false);
    if (wantsFocus.current) handle.current?.focusFirst();
    wantsFocus.current = false;
  }, []);
  const focusFirst = (): void => {
    wantsFocus.current = true;
    if (handle.current !== null) onReady();
  };
  return { handle, isLoading, setLoading, onReady, focusFirst };
}

/** A form drawn from the question's schema; as JSON when it cannot be drawn, or would be too big. */
function WholeForm(): ReactNode {
  const { hold, work, decision, lockedWhy, idPrefix } = usePane();
  const words = strings.hold;
  const { handle, isLoading, setLoading, onReady, focusFirst } = useLateForm();
  // The same question for as long as this is shown: each live word of the server brings equal copies, which are no news to a form.
  const [{ schema, secretPaths }] = useState(hold);
  const shape = useMemo(() => shapeOf(schema), [schema]);
  const [isJson, setJson] = useState(shape.style === 'json');
  const [isBroken, setBroken] = useState(false);
  const draw = (asJson: boolean): void => {
    setLoading(true);
    setJson(asJson);
  };
  const left = requiredEmpty(schema, work.values);
  const shared = {
    handle,
    onReady,
    schema,
    initial: work.values,
    onChange: work.setValues,
    problems: decision.problems,
    isLocked: lockedWhy !== null,
  };
  const json = (
    <JsonPanel
      {...shared}
      typed={work.text}
      onText={work.setText}
      why={isBroken ? words.form.broken : shape.why}
      {...(shape.why === null && !isBroken ? { fields: shape.fields, onDraw: () => draw(false) } : {})}
    />
  );
  return (
    <>
      <Suspense fallback={<p className="meta form-loading">{words.form.loading}</p>}>
        {isJson ? (
          json
        ) : (
          <FormBoundary
            onBroken={() => {
              setBroken(true);
              draw(true);
            }}
          >
            <FormPanel
              {...shared}
              idPrefix={idPrefix}
              secretPaths={secretPaths}
              asSections={shape.style !== 'form'}
              asJson={shape.asJson}
            />
          </FormBoundary>
        )}
      </Suspense>
      <DecisionBar
        onFocusFirst={focusFirst}
        actions={[
          sendAction(
            hold,
            () => {
              const values = handle.current?.read() ?? null;
              return values === null ? null : resolved(hold, values);
            },
            { isLoading, means: answerMeans(hold, isJson ? 0 : left) },
          ),
          declineAction(hold, work.reason),
        ]}
      />
    </>
  );
}

/** Root fields that must be filled in and are empty still. */
function requiredEmpty(schema: Dict, values: Dict): number {
  const isEmpty = (value: unknown): boolean => value === undefined || value === '' || value === null;
  return listOf(schema['required']).filter((name) => typeof name === 'string' && isEmpty(values[name])).length;
}

/** The code of forms, once the page has nothing better to do. */
export const prefetchForms = (): void => whenIdle(() => void Promise.all([FormPanel.ahead(), VerdictForm.ahead()]));
