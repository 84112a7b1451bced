// The words of forms.
import { plural } from '../plural.ts';

export const form = {
  loading: 'Loading the form…',
  requiredLeft: (n: number): string => `${plural(n, 'required field', 'required fields')} left.`,
  summary: (n: number): string => (n === 1 ? '1 answer needs another look' : `${n} answers need another look`),
  requiredWord: '(required)',
  optionalWord: '(optional)',
  required: 'Please fill this in.',
  atLeast: (n: string): string => `At least ${n}.`,
  atMost: (n: string): string => `At most ${n}.`,
  moreThan: (n: string): string => `More than ${n}.`,
  lessThan: (n: string): string => `Less than ${n}.`,
  stepsOf: (n: string): string => `In steps of ${n}.`,
  minLength: (n: number): string => `At least ${plural(n, 'character', 'characters')}.`,
  maxLength: (n: number): string => `At most ${plural(n, 'character', 'characters')}.`,
  minItems: (n: number): string => `At least ${plural(n, 'entry', 'entries')}.`,
  maxItems: (n: number): string => `At most ${plural(n, 'entry', 'entries')}.`,
  minEntries: (n: number): string => `At least ${plural(n, 'field', 'fields')} filled in.`,
  maxEntries: (n: number): string => `At most ${plural(n, 'field', 'fields')} filled in.`,
  unique: 'Each entry only once.',
  oneOfThese: (list: string): string => `One of: ${list}.`,
  oneOfList: 'Please choose one from the list.',
  mustBe: (value: string): string => `Must be ${value}.`,
  pattern: 'Not in the form that was asked for.',
  noChoice: 'Fits none of the choices.',
  notAllowed: 'This field is not asked for.',
  doesNotFit: 'Does not fit.',
  format: (name: string): string =>
    ({
      email: 'Please write an e-mail address.',
      date: 'Please give a date.',
      time: 'Please give a time.',
      'date-time': 'Please give a date and a time.',
      uri: 'Please write a whole web address.',
      uuid: 'Please write a UUID.',
      ipv4: 'Please write an IPv4 address.',
      ipv6: 'Please write an IPv6 address.',
    })[name] ?? `Please write it as ${name}.`,
  type: (types: string[]): string =>
    types.includes('integer')
      ? 'Please write a whole number.'
      : types.includes('number')
        ? 'Please write a number.'
        : types.includes('boolean')
          ? 'Please choose yes or no.'
          : types.includes('string')
            ? 'Please write text.'
            : types.includes('array')
              ? 'Please give a list.'
              : 'Please fill this in.',
  choose: 'Choose…',
  choices: 'Choices',
  find: (n: number): string => `Find among ${n}…`,
  noneFits: 'None fits what you typed.',
  moreChoices: (n: number): string => `${n} more: type another letter.`,
  outline: 'Parts of the form',
  filledIn: 'filled in',
  add: (what: string): string => `Add ${what}`,
  removeItem: (n: number): string => `Remove entry ${n}`,
  upItem: (n: number): string => `Move entry ${n} up`,
  downItem: (n: number): string => `Move entry ${n} down`,
  optionalCollapsed: (n: number): string => `${plural(n, 'optional field', 'optional fields')} not filled in`,
  section: (title: string, n: number): string => `${title} (${plural(n, 'field', 'fields')})`,
  noFile: 'Files cannot be given here.',
  asJson: 'Answer as JSON',
  asJsonWhy: (why: string): string =>
    `This form cannot be drawn (${why}). Write the answer as JSON; it is checked before it is sent.`,
  asJsonBig: (fields: number): string =>
    `This form has ${fields} fields. Write the answer as JSON, or draw it all the same.`,
  drawAnyway: 'Draw the form',
  broken: 'The form could not be drawn',
  jsonLabel: 'Your answer as JSON',
  jsonSchema: 'What is asked for, as JSON Schema',
  jsonWrong: (line: number, what: string): string => `Line ${line}: ${what}`,
  jsonSyntax: 'this is not JSON.',
  jsonObject: 'the answer must be an object, in braces.',
  jsonField: 'JSON',
  /** Named places that no field shows. */
  place: (path: string, message: string): string => `${path}: ${message}`,
  whole: 'The whole answer',
  format24: (n: number, max: number): string => `${n} of ${max}`,
};
