// Forms, in German.
import type { hold as enHold } from '../en/hold.ts';
import { plural } from '../plural.ts';

const formats: Record<string, string> = {
  email: 'Bitte eine E-Mail-Adresse.',
  date: 'Bitte ein Datum.',
  time: 'Bitte eine Uhrzeit.',
  'date-time': 'Bitte Datum und Uhrzeit.',
  uri: 'Bitte eine ganze Web-Adresse.',
  uuid: 'Bitte eine UUID.',
  ipv4: 'Bitte eine IPv4-Adresse.',
  ipv6: 'Bitte eine IPv6-Adresse.',
};
const types: Record<string, string> = {
  integer: 'Bitte eine ganze Zahl.',
  number: 'Bitte eine Zahl.',
  boolean: 'Bitte Ja oder Nein wählen.',
  string: 'Bitte einen Text.',
  array: 'Bitte eine Liste.',
};
const fillIn = 'Bitte ausfüllen.';

export const form: (typeof enHold)['form'] = {
  loading: 'Das Formular wird geladen …',
  requiredLeft: (n) => `noch ${plural(n, 'Pflichtfeld', 'Pflichtfelder')}`,
  summary: (n) => (n === 1 ? '1 Antwort braucht noch einen Blick' : `${n} Antworten brauchen noch einen Blick`),
  requiredWord: '(Pflicht)',
  optionalWord: '(freiwillig)',
  required: fillIn,
  atLeast: (n) => `Mindestens ${n}.`,
  atMost: (n) => `Höchstens ${n}.`,
  moreThan: (n) => `Mehr als ${n}.`,
  lessThan: (n) => `Weniger als ${n}.`,
  stepsOf: (n) => `In Schritten von ${n}.`,
  minLength: (n) => `Mindestens ${n} Zeichen.`,
  maxLength: (n) => `Höchstens ${n} Zeichen.`,
  minItems: (n) => `Mindestens ${plural(n, 'Eintrag', 'Einträge')}.`,
  maxItems: (n) => `Höchstens ${plural(n, 'Eintrag', 'Einträge')}.`,
  minEntries: (n) => `Mindestens ${plural(n, 'Feld', 'Felder')} ausfüllen.`,
  maxEntries: (n) => `Höchstens ${plural(n, 'Feld', 'Felder')} ausfüllen.`,
  unique: 'Jeder Eintrag nur einmal.',
  oneOfThese: (list) => `Eines von: ${list}.`,
  oneOfList: 'Bitte eines aus der Liste wählen.',
  mustBe: (value) => `Muss ${value} sein.`,
  pattern: 'Nicht in der erbetenen Form.',
  noChoice: 'Passt zu keiner Möglichkeit.',
  notAllowed: 'Nach diesem Feld wird nicht gefragt.',
  doesNotFit: 'Passt nicht.',
  format: (name) => formats[name] ?? `Bitte als ${name} schreiben.`,
  type: (wanted) =>
    ['integer', 'number', 'boolean', 'string', 'array'].flatMap((one) =>
      wanted.includes(one) ? [types[one] ?? fillIn] : [],
    )[0] ?? fillIn,
  choose: 'Wählen …',
  add: (what) => `${what} hinzufügen`,
  removeItem: (n) => `Eintrag ${n} entfernen`,
  upItem: (n) => `Eintrag ${n} nach oben`,
  downItem: (n) => `Eintrag ${n} nach unten`,
  optionalCollapsed: (n) => `${plural(n, 'freiwilliges Feld', 'freiwillige Felder')} nicht ausgefüllt`,
  section: (title, n) => `${title} (${plural(n, 'Feld', 'Felder')})`,
  noFile: 'Dateien können hier nicht angegeben werden.',
  asJson: 'Als JSON antworten',
  asJsonWhy: (why) =>
    `Dieses Formular lässt sich nicht zeichnen (${why}). Schreiben Sie die Antwort als JSON; sie wird vor dem Senden geprüft.`,
  asJsonBig: (fields) =>
    `Dieses Formular hat ${fields} Felder. Schreiben Sie die Antwort als JSON, oder lassen Sie es trotzdem zeichnen.`,
  drawAnyway: 'Formular zeichnen',
  broken: 'Das Formular ließ sich nicht zeichnen',
  jsonLabel: 'Ihre Antwort als JSON',
  jsonSchema: 'Was gefragt ist, als JSON Schema',
  jsonWrong: (line, what) => `Zeile ${line}: ${what}`,
  jsonSyntax: 'das ist kein JSON.',
  jsonObject: 'die Antwort muss ein Objekt in Klammern sein.',
  jsonField: 'JSON',
  place: (path, message) => `${path}: ${message}`,
  whole: 'Die ganze Antwort',
  format24: (n, max) => `${n} von ${max}`,
};
