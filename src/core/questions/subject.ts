// What tells one question from another at a glance: the task's own words or the values it is about, in the place of a title
// that every question of its sort bears. The same for the pages, the command line and notifications.
import type { Question } from '../../contract/form.ts';
import type { Json } from '../../contract/json.ts';
import { leadOf } from './lead.ts';

/** One value that a question is about, as its agent named it. */
export interface SubjectValue {
  name: string;
  value: string | number | boolean;
}

type Asked = Pick<Question, 'kind' | 'title' | 'message' | 'tool' | 'defaults' | 'schema' | 'secrets'>;

const maxValues = 4;
const maxValueChars = 80;
const maxSubjectChars = 160;

const isScalar = (value: Json | undefined): value is string | number | boolean =>
  (typeof value === 'string' && value.trim() !== '') || typeof value === 'number' || typeof value === 'boolean';

function firstScalars(values: Record<string, Json>): SubjectValue[] {
  const found: SubjectValue[] = [];
  for (const [name, value] of Object.entries(values)) {
    if (!isScalar(value)) continue;
    found.push({ name, value: typeof value === 'string' ? value.slice(0, maxValueChars) : value });
    if (found.length === maxValues) break;
  }
  return found;
}

/** The first values of a tool call, or those that a form proposes; never one of a secret field. */
export function valuesOf({ kind, tool, defaults, secrets }: Asked): SubjectValue[] {
  if (tool !== null) {
    const edited = defaults['editedArgs'];
    const proposed = typeof edited === 'object' && edited !== null && !Array.isArray(edited) ? edited : {};
    return firstScalars({ ...tool.args, ...proposed });
  }
  const open = Object.entries(defaults).filter(([name]) => !secrets.includes(name));
  return kind === 'form' ? firstScalars(Object.fromEntries(open)) : [];
}

/** Fields of a form that must be filled in and that the agent has left empty. */
export function requiredLeft({ kind, schema, defaults }: Asked): number {
  const required = kind === 'form' ? schema['required'] : [];
  if (!Array.isArray(required)) return 0;
  return required.filter((name) => typeof name === 'string' && !isScalar(defaults[name])).length;
}

/** A title that says what is asked, not what about: of a form without a question or a number in it, or of a tool alone. */
function isGeneric({ kind, title, tool }: Asked): boolean {
  if (title.trim() === '' || /^(?:A question|Questions) from the agent$/u.test(title)) return true;
  if (kind === 'tool_call') return tool !== null && !/\d/u.test(title.replace(tool.name, ''));
  return kind === 'form' && !/[?\u061F\uFF1F\d]/u.test(title);
}

/** Words of a person, not of a program. */
const isSpoken = (text: string): boolean => text.trim() !== '' && !/^\s*[[{<]/u.test(text);

const oneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim().slice(0, maxSubjectChars);

/** `isAlone`: no other question of its task is asked with it, so the task's words are about this one. */
export function subjectOf(asked: Asked, taskTitle: string, isAlone: boolean): string {
  const lead = leadOf(asked);
  if (lead !== null) return oneLine(lead);
  if (!isGeneric(asked)) return oneLine(asked.title);
  if (isAlone && isSpoken(taskTitle)) return oneLine(taskTitle);
  const values = valuesOf(asked).map(({ value }) => String(value));
  if (values.length === 0) return oneLine(asked.title);
  return oneLine(`${asked.tool?.name ?? asked.title}: ${values.slice(0, 3).join(', ')}`);
}
