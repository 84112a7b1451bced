// The form of one question: drawn by @rjsf/core with our controls, checked by us, answered through its handle.
import Form from '@rjsf/core/lib/components/Form.js';
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { type Dict, dictOf, isSame, listOf } from '../values/dict.ts';
import { labelOf, markWord } from '../values/humanise.ts';
import { unsetOptional } from '../values/schema-walk.ts';
import { strings } from '../../i18n/strings.ts';
import { visible } from '../text/visible.ts';
import { inFieldOrder } from './check.ts';
import { controlsOf, pruned, withLabels, withoutClosed } from './draw-schema.ts';
import { ErrorSummary, focusField, type SummaryLine } from './error-summary.tsx';
import { type FormContext, groupsOf, idOf, idSeparator, runsOf, sectionsOf } from './form-context.ts';
import { type FormHandle, type ServerProblem, serverPath } from './form-handle.ts';
import { fields, templates, widgets } from './registry.ts';
import { errorTree, type FieldProblem, fieldProblems, validator } from './validator.ts';

interface Props {
  handle: RefObject<FormHandle | null>;
  onReady: () => void;
  schema: Dict;
  initial: Dict;
  onChange: (values: Dict) => void;
  /** What the server did not take. */
  problems: readonly ServerProblem[];
  isLocked: boolean;
  idPrefix: string;
  asSections: boolean;
  asJson: readonly string[];
  secretPaths: readonly string[];
}

const collapseOver = 12;
const noProblems: FieldProblem[] = [];
/** Nothing is chosen in a person's place: a choice that stands there unasked would be sent unread. */
const defaults = {
  emptyObjectFields: 'skipEmptyDefaults',
  arrayMinItems: { populate: 'requiredOnly' },
  constAsDefaults: 'never',
  requiredBooleanDefault: 'skip',
} as const;

type Pending = FormContext['pending'];

/** What of the schema is drawn now, with which controls, and what its parts share. */
function useDrawn({ schema, asSections, asJson, secretPaths }: Props, initial: Dict, pending: Pending) {
  const drawn = useMemo(() => withLabels(schema), [schema]);
  const controls = useMemo(() => controlsOf(drawn, asJson, secretPaths), [drawn, asJson, secretPaths]);
  const names = useMemo(() => Object.keys(dictOf(schema['properties'])), [schema]);
  const groups = useMemo(() => groupsOf(dictOf(drawn['properties'])), [drawn]);
  const sections = useMemo(() => (asSections ? sectionsOf(dictOf(drawn['properties'])) : null), [drawn, asSections]);
  const [openSections, setOpen] = useState<ReadonlySet<string>>(() => new Set(asSections ? names.slice(0, 1) : []));
  const drawnNow = useMemo(() => {
    if (sections === null) return drawn;
    const open = new Set(sections.flatMap((section) => (openSections.has(section.key) ? section.names : [])));
    return withoutClosed(drawn, (name) => open.has(name));
  }, [drawn, sections, openSections]);
  const collapsed = useMemo(() => {
    const unset = names.length > collapseOver && !asSections && groups === null ? unsetOptional(schema, initial) : [];
    // A collapsed section of all there is would hide the form.
    return unset.length === names.length ? [] : runsOf(names, unset);
  }, [schema, names, initial, asSections, groups]);
  const onOpenSection = useCallback((key: string) => setOpen((open) => new Set([...open, key])), []);
  const context: FormContext = useMemo(
    () => ({
      pending,
      mark: markWord(names.length, listOf(schema['required']).length),
      collapsed,
      groups: sections === null ? groups : null,
      sections,
      openSections,
      onOpenSection,
    }),
    [pending, names, schema, collapsed, groups, sections, openSections, onOpenSection],
  );
  return { drawnNow, controls, names, context };
}

/** What is wrong with the values, found here or by the server; `round` counts how often the reader was shown it. */
function useProblems(schema: Dict, refused: readonly ServerProblem[]) {
  const [problems, setProblems] = useState(noProblems);
  const [round, setRound] = useState(0);
  const check = useCallback(
    (values: Dict): boolean => {
      const found = fieldProblems(schema, values);
      setProblems((before) => (isSame(before, found) ? before : found));
      return found.length === 0;
    },
    [schema],
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
  const { handle, onReady, schema, onChange, problems: refused, isLocked, idPrefix } = props;
  const form = useRef<Form<unknown>>(null);
  const pending: Pending = useRef(new Set());
  const box = useRef<HTMLDivElement>(null);
  const isReady = useRef(false);
  const [initial] = useState(props.initial);
  const { drawnNow, controls, names, context } = useDrawn(props, initial, pending);
  const { problems, round, check, show } = useProblems(schema, refused);

  const valuesNow = useCallback(
    (): Dict => pruned(schema, dictOf(form.current?.state.formData ?? initial)),
    [schema, initial],
  );
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
        const first = names[0];
        if (first !== undefined) focusField(idOf(idPrefix, [first]));
      },
    }),
    [check, show, valuesNow, names, idPrefix],
  );

  useEffect(() => {
    isReady.current = true;
    onReady();
  }, [onReady]);

  const change = useCallback(
    ({ formData }: { formData?: unknown }) => {
      // The library tells defaults it filled in while it is first drawn: nobody has typed those.
      if (!isReady.current) return;
      const values = pruned(schema, dictOf(formData));
      onChange(values);
      // Live only after a submit failed, and then only to remove or renew problems.
      if (round > 0) check(values);
    },
    [schema, onChange, check, round],
  );

  const errors = useMemo(() => errorTree(problems), [problems]);
  const lines = problems.map((problem) => lineOf(problem, schema, idPrefix));
  const go = (line: SummaryLine): void => {
    const [name] = problems[lines.indexOf(line)]?.path ?? [];
    if (name !== undefined) {
      flushSync(() => context.onOpenSection(sectionOf(name, context)));
    }
    if (line.fieldId !== null) focusField(line.fieldId);
  };

  return (
    <>
      <ErrorSummary lines={lines} round={round} box={box} onGo={go} />
      <Form
        ref={form}
        tagName="div"
        className="form"
        schema={drawnNow}
        uiSchema={controls}
        initialFormData={initial}
        validator={validator}
        widgets={widgets}
        fields={fields}
        templates={templates}
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
    </>
  );
}

function lineOf({ path, message }: FieldProblem, schema: Dict, idPrefix: string): SummaryLine {
  const [first] = path;
  const properties = dictOf(schema['properties']);
  const isKnown = first !== undefined && Object.hasOwn(properties, first);
  const words = path.map((key, index) =>
    index === 0 ? labelOf(key, properties[key]) : /^\d+$/.test(key) ? String(Number(key) + 1) : labelOf(key, {}),
  );
  return {
    fieldId: isKnown ? idOf(idPrefix, path) : null,
    label: words.length === 0 ? strings.hold.form.whole : words.join(' › '),
    message,
  };
}

/** The collapsed run or section that a field is in. */
function sectionOf(name: string, { collapsed, sections }: FormContext): string {
  return (sections ?? collapsed).find(({ names }) => names.includes(name))?.key ?? '';
}
