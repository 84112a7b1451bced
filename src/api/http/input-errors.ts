// What a schema found wrong, in words for whoever sent it: a schema's own speak of records and origins.

interface Found {
  /** Code of the fault. */
  keyword: string;
  message?: string | undefined;
  params: Record<string, unknown>;
}

const kinds: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};
const units: Record<string, [one: string, many: string]> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
};

/** Beginnings of messages that nobody wrote for this field: those that somebody did are told as they are. */
const unnamed = /^(Invalid (input|option)|Too (small|big))/;

function amount(origin: unknown, bound: unknown): string {
  const [one, many] = units[String(origin)] ?? ['', ''];
  return `${String(bound)} ${bound === 1 ? one : many}`.trimEnd();
}

export function describeInputErrors({ keyword, message = 'is not valid', params }: Found): string {
  if (!unnamed.test(message)) return message;
  const { expected, origin, minimum, maximum, values } = params;
  switch (keyword) {
    case 'invalid_type':
      return `expected ${kinds[String(expected)] ?? String(expected)}`;
    case 'too_small':
      return `expected at least ${amount(origin, minimum)}`;
    case 'too_big':
      return `expected at most ${amount(origin, maximum)}`;
    case 'invalid_value':
      return Array.isArray(values) ? `expected ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}` : message;
    case 'invalid_union':
      return 'is not in any form that is taken here';
    default:
      return message;
  }
}
