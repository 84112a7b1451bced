// Numbers in JSON that a double does not hold: read as one they are another number, without a word about it.

/** Whether a number of JSON is read as what it says: its double's shortest form is the same decimal value. */
export function survives(literal: string): boolean {
  // Fifteen digits always fit, and no exponent of two digits takes them out of a double's range.
  if (literal.length <= 15 && !/[eE]/u.test(literal)) return true;
  const number = Number(literal);
  return Number.isFinite(number) && decimalOf(literal) === decimalOf(String(number));
}

/** One form for one value: its digits without zeros around them, and the power of ten of the last. */
function decimalOf(literal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/u.exec(literal) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/u, '');
  const kept = withoutZerosAtEnd(digits);
  if (kept === '') return '0';
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - kept.length);
  return `${sign}${kept}e${power}`;
}

/** By hand: an expression for the zeros at the end would try each run of zeros. */
function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** Text without it has only numbers that survive: those that do not have sixteen digits, or an exponent of three. */
const suspicious = /(?:^|[\s:,[])-?(?:\d[\d.]{15}|\d[\d.]*[eE][+-]?\d{3})/u;

/** A number that does not survive, and where. */
export interface LostNumber {
  /** JSON pointer. */
  path: string;
  digits: string;
}

/** The numbers of a JSON text that a double does not hold; none of a text that is no JSON. */
export function lostNumbers(text: string): LostNumber[] {
  const lost: LostNumber[] = [];
  if (suspicious.test(text)) scan(text, (digits, _at, path) => lost.push({ path: path(), digits }));
  return lost;
}

/** The same JSON with each such number as a text of its digits, and those digits; the text itself where there are none. */
export function withDigits(text: string): { text: string; digits: string[] } {
  if (!suspicious.test(text)) return { text, digits: [] };
  const digits: string[] = [];
  let changed = '';
  let done = 0;
  scan(text, (literal, at) => {
    changed += `${text.slice(done, at)}"${literal}"`;
    done = at + literal.length;
    digits.push(literal);
  });
  return digits.length === 0 ? { text, digits } : { text: changed + text.slice(done), digits };
}

/** Where the scanner is in each object and list around it. */
interface Place {
  key: string | null;
  index: number;
}

type Found = (literal: string, at: number, path: () => string) => void;

/** Calls for each number that does not survive; takes time by the length of the text, and no text breaks it. */
function scan(text: string, found: Found): void {
  const places: Place[] = [];
  let string = '';
  const path = (): string =>
    places.map(({ key, index }) => `/${(key ?? String(index)).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  for (let at = 0; at < text.length;) {
    const sign = text[at] ?? '';
    const place = places.at(-1);
    if (sign === '"') {
      const end = endOfString(text, at);
      string = text.slice(at, end);
      at = end;
      continue;
    }
    if (sign === '-' || (sign >= '0' && sign <= '9')) {
      const end = endOfNumber(text, at);
      const literal = text.slice(at, end);
      if (!survives(literal)) found(literal, at, path);
      at = end;
      continue;
    }
    if (sign === '{' || sign === '[') places.push({ key: sign === '{' ? '' : null, index: 0 });
    else if (sign === '}' || sign === ']') places.pop();
    else if (sign === ':' && place !== undefined) place.key = keyOf(string);
    else if (sign === ',' && place !== undefined) place.index += 1;
    at += 1;
  }
}

function endOfString(text: string, from: number): number {
  for (let at = from + 1; ;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return text.length;
    let slashes = 0;
    while (text[quote - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

function endOfNumber(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && /[\d.eE+-]/u.test(text[at] ?? '')) at += 1;
  return at;
}

function keyOf(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal;
  }
}
