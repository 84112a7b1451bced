/** Promises that a test holds, and the file names of the ADRs. */
export interface Known {
  promises: ReadonlySet<string>;
  adrs: ReadonlySet<string>;
}

const ruleLine = /^- (\d{3} §\d+\.\d+[a-z]?): (.+(?:\n {2}\S.*)*)$/gm;
const withoutRule = /^- (\d{3} §\d+\.\d+(?:, \d{3} §\d+\.\d+)*)$/gm;
const noteLine = /^\| (\d{3}) +\|.*\| *(\d+(?:, \d+)*) *\|$/gm;
const heldBy = /Held by ([A-Z]+\d+[a-z]*(?:, [A-Z]+\d+[a-z]*)*)\./g;
const departure = /Departure: \[ADR (\d+)\]\(\.\.\/adr\/([^)]+)\)\./g;

const placeOf = (id: string): string => id.replace(/[a-z]$/, '');

function faultsOfRule(id: string, text: string, known: Known): string[] {
  const promises = [...text.matchAll(heldBy)].flatMap(([, ids = '']) => ids.split(', '));
  const departures = [...text.matchAll(departure)];
  if (promises.length + departures.length === 0) return [`${id} has neither a promise nor a departure`];
  return [
    ...promises.filter((promise) => !known.promises.has(promise)).map((promise) => `${id}: no test holds ${promise}`),
    ...departures.flatMap(([, number = '', file = '']) =>
      known.adrs.has(file) && file.startsWith(`${number.padStart(4, '0')}-`)
        ? []
        : [`${id}: there is no ADR ${number}`],
    ),
  ];
}

/** What is wrong with the page of the contract, a sentence each. */
export function faultsOfContract(page: string, known: Known): string[] {
  const rules = [...page.matchAll(ruleLine)].map(([, id = '', text = '']) => ({
    id,
    text: text.replaceAll(/\s+/g, ' '),
  }));
  const ids = rules.map(({ id }) => id);
  const places = new Set(ids.map(placeOf));
  const none = [...page.matchAll(withoutRule)].flatMap(([, list = '']) => list.split(', '));
  const notes = [...page.matchAll(noteLine)];
  const paragraphs = notes.flatMap(([, note = '', sections = '']) =>
    sections
      .split(', ')
      .flatMap((count, section) =>
        Array.from({ length: Number(count) }, (_, at) => `${note} §${section + 1}.${at + 1}`),
      ),
  );
  return [
    ...rules.flatMap(({ id, text }) => faultsOfRule(id, text, known)),
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id} is there twice`),
    ...paragraphs.filter((place) => !places.has(place) && !none.includes(place)).map((place) => `${place} is left out`),
    ...none.filter((place) => places.has(place)).map((place) => `${place} has a rule, and is listed as having none`),
    ...[...places, ...none]
      .filter((place) => !paragraphs.includes(place))
      .map((place) => place.replace(' ', ' has no ')),
  ];
}
