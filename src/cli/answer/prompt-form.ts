// Prompts for each field of a question, with the agent's proposal in brackets.
import type { DecisionBody } from '../../contract/holds/decision.ts';
import type { HoldView } from '../../contract/holds/hold.ts';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { takesNoAlone, yesNoFieldOf } from '../../core/consent/verdict.ts';
import { objectOf } from '../../core/base/json.ts';
import { CommandError } from '../operate/command-error.ts';
import { plain } from '../operate/tables.ts';
import type { Terminal } from '../operate/terminal.ts';
import {
  approval,
  choicesOf,
  isRequired,
  propertiesOf,
  proposedValues,
  readValue,
  rejection,
} from './answer-values.ts';

export type Ask = NonNullable<Terminal['ask']>;

/** Prompts for an answer; `wrong` names the fields that the server refused, whose values become the proposals. */
export async function promptAnswer(
  ask: Ask,
  warn: (text: string) => void,
  hold: HoldView,
  before: { values: JsonObject; wrong: ReadonlyMap<string, string> } | null = null,
): Promise<DecisionBody> {
  // Safe: the API sends a question's schema as JSON.
  const question = { kind: hold.kind, schema: hold.schema as JsonObject };
  if (yesNoFieldOf(question) !== null && before === null) return promptYesNo(ask, warn, hold);
  const values = await promptFields(ask, warn, hold, before);
  const sent = (await ask('Send this answer? [Y]es, [r]eject the question, [n]o: ')).trim().toLowerCase();
  if (sent.startsWith('r')) return rejection(hold, await promptReason(ask));
  if (sent !== '' && !sent.startsWith('y')) throw new CommandError('usage', 'nothing was sent');
  return { status: 'resolved', values };
}

async function promptYesNo(ask: Ask, warn: (text: string) => void, hold: HoldView): Promise<DecisionBody> {
  // Safe: the API sends a question's schema as JSON.
  if (takesNoAlone({ kind: hold.kind, schema: hold.schema as JsonObject })) {
    const typed = (await ask('It can only be refused. Refuse it? [y]es, [N]o: ')).trim().toLowerCase();
    if (!typed.startsWith('y')) throw new CommandError('usage', 'nothing was sent');
    return rejection(hold, await promptReason(ask));
  }
  for (;;) {
    const typed = (await ask('Approve? [y]es, [n]o: ')).trim().toLowerCase();
    if (typed.startsWith('n')) return rejection(hold, await promptReason(ask));
    if (!typed.startsWith('y')) {
      warn('Type y or n; Ctrl+C sends nothing.\n');
      continue;
    }
    if (hold.danger && (await ask('This cannot be taken back. Type "approve" to go on: ')).trim() !== 'approve') {
      throw new CommandError('usage', 'nothing was sent');
    }
    const rest = await promptFields(ask, warn, hold, null, (name) => isRequired(hold, name));
    return { status: 'resolved', values: { ...rest, ...resolvedValues(approval(hold, [])) } };
  }
}

async function promptReason(ask: Ask): Promise<string | null> {
  const reason = (await ask('Reason (may be empty): ')).trim();
  return reason === '' ? null : reason;
}

// Safe: the decision's values were built from JSON.
export const resolvedValues = (body: DecisionBody): JsonObject =>
  body.status === 'resolved' ? (body.values as JsonObject) : {};

async function promptFields(
  ask: Ask,
  warn: (text: string) => void,
  hold: HoldView,
  before: { values: JsonObject; wrong: ReadonlyMap<string, string> } | null,
  isAsked: (name: string) => boolean = () => true,
): Promise<JsonObject> {
  const values: JsonObject = { ...(before?.values ?? proposedValues(hold)) };
  // Safe: JSON as well.
  const yes = yesNoFieldOf({ kind: hold.kind, schema: hold.schema as JsonObject });
  for (const [name, field] of Object.entries(propertiesOf(hold.schema))) {
    if (name === yes || !isAsked(name)) continue;
    const wrong = before?.wrong.get(name);
    if (before !== null && wrong === undefined) continue;
    if (wrong !== undefined) warn(`${plain(name)}: ${plain(wrong)}\n`);
    const isSecret = hold.secretPaths.includes(`/${name}`);
    const value = await promptField(ask, warn, {
      name,
      field,
      proposed: values[name],
      isSecret,
      isNeeded: isRequired(hold, name),
    });
    if (value === undefined) delete values[name];
    else values[name] = value;
  }
  return values;
}

interface Field {
  name: string;
  field: Json;
  proposed: Json | undefined;
  isSecret: boolean;
  isNeeded: boolean;
}

async function promptField(
  ask: Ask,
  warn: (text: string) => void,
  { name, field, proposed, isSecret, isNeeded }: Field,
): Promise<Json | undefined> {
  const choices = choicesOf(field);
  for (const [index, { title }] of choices.entries()) warn(`  ${index + 1}  ${plain(title)}\n`);
  const shown =
    proposed === undefined || isSecret
      ? ''
      : ` [${plain(typeof proposed === 'string' ? proposed : JSON.stringify(proposed))}]`;
  const text = `${labelOf(name, field)}${shown}${isNeeded ? '' : ' (optional)'}: `;
  for (;;) {
    const typed = (await ask(text, { isSecret })).trim();
    if (typed === '' && proposed !== undefined) return proposed;
    if (typed === '' && !isNeeded) return undefined;
    if (typed === '') {
      warn('An answer is needed; Ctrl+C sends nothing.\n');
      continue;
    }
    const chosen = choices[Number(typed) - 1];
    // A number selects from the list unless it is itself one of the values.
    if (chosen !== undefined && !choices.some(({ value }) => String(value) === typed)) return chosen.value;
    try {
      return readValue(field, typed);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      warn(`${error.message}\n`);
    }
  }
}

function labelOf(name: string, field: Json): string {
  const { title, type } = objectOf(field);
  return `${plain(typeof title === 'string' ? title : name)}${type === 'boolean' ? ' (yes/no)' : ''}`;
}
