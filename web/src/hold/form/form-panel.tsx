// The form of one question: drawn by @rjsf/core with our controls, checked by us, answered through its handle.
import Form from '@rjsf/core/lib/components/Form.js';
import type { RJSFSchema } from '@rjsf/utils';
import { type ReactNode, useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Dict, dictOf, isSame, listOf } from '../values/dict.ts';
import { labelOf, markWord } from '../values/humanise.ts';
import { shapeOf } from '../values/schema-walk.ts';
import { strings } from '../../i18n/strings.ts';
import { visible } from '../../base/text/visible.ts';
import { blocksOf } from './blocks.ts';
import { inFieldOrder } from '../answer/check.ts';
import { controlsOf, digits, partOf, pruned, radioUpTo, withLabels, withoutClosed } from './draw-schema.ts';
import { ErrorSummary, focusField, type SummaryLine } from './error-summary.tsx';
import { type FormContext, idOf, idSeparator } from './form-context.ts';
import { type PanelProps, serverPath } from './form-handle.ts';
import { FormOutline } from './form-outline.tsx';
import { doneIn, type OutlineEntry, outlineFrom, outlineOf } from './outline.ts';
import { errorTree, type FieldProblem, fieldProblems, validator } from './validator.ts';

interface Props extends PanelProps {
  idPrefix: string;
  asSections: boolean;
  asJson: readonly string[];
  secretPaths: readonly string[];
  /** What buttons give in the place of fields: checked with the rest, and not drawn. */
  given?: Dict;
  /** The fields to draw, each to be filled in; left out: all. */
  only?: readonly string[];
}

const noProblems: FieldProblem[] = [];
const nothingGiven: Dict = {};
/** Nothing is chosen in a person's place: a preset choice would be sent unread. */
const defaults = {
  emptyObjectFields: 'skipEmptyDefaults',
  arrayMinItems: { populate: 'requiredOnly' },
  constAsDefaults: 'never',
  requiredBooleanDefault: 'skip',
} as const;

/** What of the schema is drawn now, with which controls, and what its parts share. */
function useDrawn(props: Props, initial: Dict, pending: FormContext['pending']) {
  const { schema, asSections, asJson, secretPaths, given = nothingGiven, only } = props;
  const drawn = useMemo(() => partOf(withLabels(schema), Object.keys(given), only), [schema, given, only]);
  const controls = useMemo(
    () => controlsOf(drawn, asJson, secretPaths, only === undefined ? radioUpTo : digits),
    [drawn, asJson, secretPaths, only],
  );
  const names = useMemo(() => Object.keys(dictOf(drawn['properties'])), [drawn]);
  const blocks = useMemo(() => blocksOf(drawn, initial, asSections), [drawn, initial, asSections]);
  const [openBlocks, setOpen] = useState<ReadonlySet<string>>(() => new Set(asSections ? names.slice(0, 1) : []));
  const drawnNow = useMemo(() => {
    if (!asSections) return drawn;
    const open = new Set(blocks.flatMap(({ key, names: inside }) => (openBlocks.has(key) ? inside : [])));
    return withoutClosed(drawn, (name) => open.has(name));
  }, [drawn, asSections, blocks, openBlocks]);
  const onOpenBlock = useCallback((key: string) => setOpen((open) => new Set([...open, key])), []);
  const mark = only === undefined ? markWord(names.length, listOf(drawn['required']).length) : 'optional';
  const context: FormContext = useMemo(
    () => ({ pending, mark, blocks, openBlocks, onOpenBlock }),
    [pending, mark, blocks, openBlocks, onOpenBlock],
  );
  return { drawn, drawnNow, controls, names, context };
}

/** The parts of a form that is too long to be read at a glance, with those that have what they need. */
function useOutline(schema: Dict, blocks: FormContext['blocks'], initial: Dict) {
  const entries = useMemo(
    () => (shapeOf(schema).fields < outlineFrom ? noEntries : outlineOf(schema, blocks)),
    [schema, blocks],
  );
  const [done, setDone] = useState<readonly string[]>(() => doneIn(entries, schema, initial));
  const tick = useCallback(
    (values: Dict): void => {
      const now = doneIn(entries, schema, values);
      setDone((before) => (isSame(before, now) ? before : now));
    },
    [entries, schema],
  );
  return { entries, done, tick };
}

const noEntries: OutlineEntry[] = [];

interface Handled extends Pick<Props, 'handle' | 'idPrefix'>, Pick<FormContext, 'pending'> {
  valuesNow: () => Dict;
  check: (values: Dict) => boolean;
  show: () => void;
  first: string | undefined;
}

/** What the question asks of its form: the values, once they are right, and the focus. */
function useHandle({ handle, pending, valuesNow, check, show, first, idPrefix }: Handled): void {
  useImperativeHandle(
    handle,
    () => ({
      read: () => {
        flushSync(() => {
          for (const commit of pending.current) commit();
        });
        const values = valuesNow();
        if (check(values)) return values;
        show();
        return null;
      },
      focusFirst: () => {
        if (first !== undefined) focusField(idOf(idPrefix, [first]));
      },
    }),
    [check, show, valuesNow, pending, first, idPrefix],
  );
}

/** Brings a field to the reader: what it is in is opened first. */
function useGoing({ blocks, onOpenBlock }: FormContext): (name: string, fieldId: string) => void {
  return useCallback(
    (name, fieldId) => {
      const inside = blocks.find(({ names: all }) => all.includes(name));
      if (inside?.isCollapsible === true) flushSync(() => onOpenBlock(inside.key));
      focusField(fieldId);
    },
    [blocks, onOpenBlock],
  );
}

/** What is wrong with the values, found here or by the server; `round` counts how often the reader was shown it. */
function useProblems({ schema, problems: refused, given = nothingGiven }: Props) {
  const [problems, setProblems] = useState(noProblems);
  const [round, setRound] = useState(0);
  const check = useCallback(
    (values: Dict): boolean => {
      const found = fieldProblems(schema, { ...values, ...given });
      setProblems((before) => (isSame(before, found) ? before : found));
      return found.length === 0;
    },
    [schema, given],
  );
  const show = useCallback(() => setRound((n) => n + 1), []);
  // What the server refused is shown as if it had been seen here.
  useEffect(() => {
    if (refused.length === 0) return;
    const errors = refused.map(({ path, message }) => ({ path: serverPath(path), message: visible(message) }));
    setProblems(inFieldOrder(schema, errors));
    show();
  }, [refused, schema, show]);
  return { problems, round, check, show };
}

export function FormPanel(props: Props): ReactNode {
  const { handle, onReady, schema, onChange, isLocked = false, idPrefix } = props;
  const form = useRef<Form<unknown, RJSFSchema, FormContext>>(null);
  const pending = useRef(new Set<() => void>());
  const isReady = useRef(false);
  const [initial] = useState(props.initial);
  const { drawn, drawnNow, controls, names, context } = useDrawn(props, initial, pending);
  const { problems, round, check, show } = useProblems(props);
  const { entries, done, tick } = useOutline(drawn, context.blocks, initial);

  const valuesNow = useCallback(
    (): Dict => pruned(schema, dictOf(form.current?.state.formData ?? initial)),
    [schema, initial],
  );
  useHandle({ handle, pending, valuesNow, check, show, first: names[0], idPrefix });

  useEffect(() => {
    isReady.current = true;
    onReady?.();
  }, [onReady]);

  const change = useCallback(
    ({ formData }: { formData?: unknown }) => {
      // The library reports defaults it filled in while it is first drawn: those were not typed.
      if (!isReady.current) return;
      const values = pruned(schema, dictOf(formData));
      onChange(values);
      tick(values);
      // Live only after a submit failed, and then only to remove or renew problems.
      if (round > 0) check(values);
    },
    [schema, onChange, tick, check, round],
  );

  const errors = useMemo(() => errorTree(problems), [problems]);
  const go = useGoing(context);
  const goTo = useCallback((name: string): void => go(name, idOf(idPrefix, [name])), [go, idPrefix]);

  return (
    <div className={entries.length > 0 ? 'with-outline' : undefined}>
      {entries.length > 0 && <FormOutline entries={entries} done={done} onGo={goTo} />}
      <ErrorSummary
        lines={problems.map((problem) => lineOf(problem, schema, idPrefix))}
        round={round}
        onGo={(id, at) => go(problems[at]?.path[0] ?? '', id)}
      />
      <Form
        ref={form}
        tagName="div"
        className="form"
        schema={drawnNow}
        uiSchema={controls}
        initialFormData={initial}
        validator={validator}
        formContext={context}
        idPrefix={idPrefix}
        idSeparator={idSeparator}
        extraErrors={errors}
        experimental_defaultFormStateBehavior={defaults}
        showErrorList={false}
        noHtml5Validate
        noValidate
        readonly={isLocked}
        onChange={change}
      >
        <></>
      </Form>
    </div>
  );
}

function lineOf({ path, message }: FieldProblem, schema: Dict, idPrefix: string): SummaryLine {
  const [first] = path;
  const properties = dictOf(schema['properties']);
  const isKnown = first !== undefined && Object.hasOwn(properties, first);
  const words = path.map((key, index) =>
    index === 0 ? labelOf(key, properties[key]) : /^\d+$/.test(key) ? String(Number(key) + 1) : labelOf(key, {}),
  );
  const label = words.length === 0 ? strings.hold.form.whole : words.join(' › ');
  return { fieldId: isKnown ? idOf(idPrefix, path) : null, text: strings.hold.form.place(label, message) };
}
