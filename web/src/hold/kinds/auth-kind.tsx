import { agentTitle } from '../../base/account/names.ts';
import { type ReactNode, useId, useState } from 'react';
import { TextField } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icons.tsx';
import { strings } from '../../i18n/strings.ts';
import { declineAction, sendAction } from '../decide/actions.ts';
import { authParts, resolved } from '../answer/answers.ts';
import { permissionWords } from '../answer/permission.ts';
import { DecisionBar } from '../decide/decision-bar.tsx';
import { type Dict, dictOf, isSame } from '../values/dict.ts';
import { missingIn } from '../answer/flat-check.ts';
import { labelOf } from '../values/humanise.ts';
import { noMeans } from '../decide/means.ts';
import { EndMark, useBlock } from '../reading/read-block.tsx';
import { usePane } from '../pane/pane.ts';
import { SecretField } from '../decide/secret-field.tsx';
import { oneLine, visible } from '../../base/text/visible.ts';
import { webAddress } from '../text/web-address.ts';

/** What is filled in: only the fields of the chosen outcome, and what they lack once it was to be sent. */
function useAuthAnswer() {
  const { hold, work, decision } = usePane();
  const { outcome, note, fields } = authParts(hold);
  const [missing, setMissing] = useState<ReadonlyMap<string, string>>(new Map());
  const { id: mark, ref: box } = useBlock<HTMLFieldSetElement>({ kind: 'form' });
  const chosen = outcome === null ? undefined : work.values[outcome.field];
  const errorOf = (name: string): string | undefined =>
    missing.get(name) ?? decision.problems.find(({ path }) => path === name || path === `/${name}`)?.message;
  const set = (name: string, value: unknown): void => {
    setMissing(new Map());
    work.setValues({ ...work.values, [name]: value });
  };
  // What goes with one of several outcomes has the name of that outcome.
  const isAsked = (name: string): boolean =>
    outcome === null || chosen === name || !outcome.options.some(({ value }) => value === name);
  const wantedNote = outcome === null || chosen === note ? note : null;

  const make = (): ReturnType<typeof resolved> | null => {
    const values: Dict = { ...work.values };
    if (note !== null && wantedNote === null) delete values[note];
    for (const { name } of fields) if (!isAsked(name)) delete values[name];
    const wrong = missingIn(hold.schema, values);
    if (wrong.size === 0) return resolved(hold, values);
    setMissing(wrong);
    queueMicrotask(() => box.current?.querySelector<HTMLElement>('[aria-invalid="true"], input')?.focus());
    return null;
  };
  const asked = fields.filter(({ name }) => isAsked(name));
  return { outcome, chosen, note: wantedNote, fields: asked, missing, mark, box, errorOf, set, make };
}

/** An authorisation: granted elsewhere, a credential given here, or a note; whatever its dialect takes. */
export function AuthKind(): ReactNode {
  const { hold, work, lockedWhy } = usePane();
  const words = strings.hold;
  const id = useId();
  const { outcome, chosen, note, fields, missing, mark, box, errorOf, set, make } = useAuthAnswer();
  const isLocked = lockedWhy !== null;
  const hasLink = hold.links.some(({ url }) => webAddress(url) !== null);
  return (
    <>
      <Links />
      <fieldset className="auth" ref={box} aria-describedby={`${id}-live`}>
        <legend className="sr-only">{words.kind}</legend>
        {outcome !== null && hasLink && (
          <details className="fold-inline" open={!hasLink || missing.size > 0 || chosen !== undefined}>
            <summary>{words.somethingElse}</summary>
            <Outcomes
              outcome={outcome}
              chosen={chosen}
              isMissing={missing.has(outcome.field)}
              isLocked={isLocked}
              set={set}
            />
          </details>
        )}
        {outcome !== null && !hasLink && (
          <Outcomes
            outcome={outcome}
            chosen={chosen}
            isMissing={missing.has(outcome.field)}
            isLocked={isLocked}
            set={set}
          />
        )}
        {note !== null && <Note name={note} error={errorOf(note)} isLocked={isLocked} set={set} />}
        {fields.map(({ name, schema, isSecret }) => (
          <SecretField
            key={name}
            id={`${id}-${name}`}
            label={labelOf(name, schema)}
            isSecret={isSecret}
            autoComplete={name === 'username' ? 'username' : name === 'password' ? 'current-password' : 'off'}
            value={textOf(work.values[name])}
            error={errorOf(name)}
            isLocked={isLocked}
            onChange={(text) => set(name, text)}
          />
        ))}
        <p className="meta" id={`${id}-live`}>
          {words.mayEnd}
        </p>
      </fieldset>
      <EndMark id={mark} />
      <DecisionBar
        onFocusFirst={() => box.current?.querySelector<HTMLElement>('input, textarea')?.focus()}
        actions={[
          {
            ...sendAction(hold, make, {
              label: words.continueAgent(agentTitle(hold.agent)),
              armedLabel: words.confirmContinue(agentTitle(hold.agent)),
            }),
            // The way to where it is granted leads.
            tone: hasLink && chosen === undefined ? 'plain' : 'primary',
          },
          declineAction(hold, work.reason, {
            label: words.refuse,
            armedLabel: words.confirmRefuse,
            means: noMeans(hold, 'refuse'),
          }),
        ]}
      />
    </>
  );
}

/** Where it is granted, and what. */
function Links(): ReactNode {
  const { links: all, agent } = usePane().hold;
  const links = all.flatMap(({ url }) => webAddress(url) ?? []);
  const [first] = links;
  if (first === undefined) return null;
  return (
    <>
      <p className="cluster">
        {links.map(({ href, host }) => (
          <a
            key={href}
            className={href === first.href ? 'button primary' : 'button'}
            href={href}
            target="_blank"
            rel="noopener noreferrer nofollow"
          >
            {strings.hold.openHost(host)} <Icon name="outside" />
          </a>
        ))}
      </p>
      <p className="meta" dir="auto">
        {permissionWords(first, agentTitle(agent))}
      </p>
    </>
  );
}

interface PartProps {
  isLocked: boolean;
  set: (name: string, value: unknown) => void;
}

interface OutcomesProps extends PartProps {
  outcome: NonNullable<ReturnType<typeof authParts>['outcome']>;
  chosen: unknown;
  isMissing: boolean;
}

function Outcomes({ outcome, chosen, isMissing, isLocked, set }: OutcomesProps): ReactNode {
  const id = useId();
  return (
    <>
      {outcome.options.map(({ value, title }, index) => (
        <label key={String(value)} className="check">
          <input
            type="radio"
            name={id}
            checked={chosen !== undefined && isSame(chosen, value)}
            disabled={isLocked}
            aria-invalid={(index === 0 && isMissing) || undefined}
            aria-describedby={isMissing ? `${id}-outcome` : undefined}
            onChange={() => set(outcome.field, value)}
          />
          <span dir="auto">{value === 'granted' ? strings.hold.elsewhere : oneLine(title, 120)}</span>
        </label>
      ))}
      {isMissing && (
        <p className="error" id={`${id}-outcome`}>
          {strings.hold.chooseOne}
        </p>
      )}
    </>
  );
}

function Note({ name, error, isLocked, set }: PartProps & { name: string; error: string | undefined }): ReactNode {
  const { hold, work } = usePane();
  return (
    <TextField
      id={useId()}
      label={strings.hold.note}
      rows={3}
      isLocked={isLocked}
      value={textOf(work.values[name])}
      isInvalid={error !== undefined}
      onChange={(text) => set(name, text)}
      hint={
        <>
          <span className="error">{error ?? ''}</span> {descriptionOf(hold.schema, name)}
        </>
      }
    />
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function descriptionOf(schema: Dict, name: string): string {
  const { description } = dictOf(dictOf(schema['properties'])[name]);
  return visible(textOf(description));
}
