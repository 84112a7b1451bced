// Which test files run where, reckoned from two facts: what a file takes (test/durations.json) and which promises of docs/spec it
// names. A file with real servers runs before a change is taken if a need of `needsOf` is met by no other of them; the rest runs at
// night. Of those before a change, `npm test` runs the ones that hold most for their time, at least one for each page of docs/spec
// with a promise that no quick file holds. What plays a sample of its combinations before a change plays all of them at night.

/** Whether a file with this text plays only a quarter of its combinations unless the run is full (test/rigs/properties.ts). */
export const playsSamples = (text) => /^import \{[^}]*\b(sample|screensOf)\b[^}]*\} from/m.test(text);

/** Files with real servers and processes; all others are quick. */
export const needsServers = (file) => /^test\/(workflows|journeys)\//.test(file);

/** What a file takes that test/durations.json does not name: less than jest would print. */
export const secondsOf = (durations, file) => durations[file] ?? (needsServers(file) ? 5 : 1);

/** What the first journeys of `npm test` may take together, one after the other; four of them run at a time. */
const firstSeconds = 440;

const byId = (marks) => {
  const files = new Map();
  for (const { id, file } of marks) files.set(id, (files.get(id) ?? new Set()).add(file));
  return files;
};

/** What no quick file sees, by the words of a promise: such a promise keeps a journey before a change in any case. */
export const unseenByQuick = [
  {
    words: /\bkill -9\b|\bkilled\b|\bSIGSTOP\b/,
    why: 'a process that dies or freezes leaves its work half done in others',
  },
  { words: /\bhangs\b/, why: 'who else waits is seen only if one agent really hangs' },
  { words: /\bon the screen\b/, why: 'a browser alone lays out what a person reads before an approval' },
];
const isUnseen = ({ sentence }) => unseenByQuick.some(({ words }) => words.test(sentence));

/**
 * What must be met before a change, each as the files with real servers that can: a promise that no quick file holds, or that no
 * quick file can see; and each page of docs/spec that such files name.
 */
function needsOf(promises, marks) {
  const holders = byId(marks);
  const held = promises.map((promise) => ({ ...promise, all: [...(holders.get(promise.id) ?? [])] }));
  const own = held.filter((promise) => promise.all.every(needsServers) || isUnseen(promise)).map(({ all }) => all);
  const pages = [...new Set(promises.map(({ page }) => page))];
  const ofPages = pages.map((page) => held.filter((promise) => promise.page === page).flatMap(({ all }) => all));
  return [...own, ...ofPages].map((files) => new Set(files.filter(needsServers))).filter((files) => files.size > 0);
}

/** Takes away, longest first, each file without which every need is met by files that stay. */
function withoutSpare(slow, needs, seconds) {
  const staying = new Set(slow);
  for (const file of slow.toSorted((a, b) => seconds(b) - seconds(a) || a.localeCompare(b))) {
    const own = needs.filter((files) => files.has(file));
    if (own.some((files) => files.size === 1)) continue;
    staying.delete(file);
    for (const files of own) files.delete(file);
  }
  return staying;
}

/** The promises that no quick file holds, each with its page and the files of `staying` that hold it. */
function heldByServers(promises, marks, staying) {
  const holders = byId(marks);
  return promises
    .map(({ id, page }) => ({ id, page, files: [...(holders.get(id) ?? [])] }))
    .filter(({ files }) => files.length > 0 && files.every(needsServers))
    .map((promise) => ({ ...promise, files: promise.files.filter((file) => staying.has(file)) }));
}

/** First one file for each page, then whatever holds most promises a second, until the time is spent. */
function chooseFirst(held, needsOthers, seconds) {
  const chosen = new Set();
  const worthOf = (file, page) => {
    const kept = held.filter(
      (promise) => promise.files.includes(file) && !promise.files.some((one) => chosen.has(one)),
    );
    return (page === undefined ? kept : kept.filter((promise) => promise.page === page)).length / seconds(file);
  };
  const bestOf = (files, page) =>
    files.toSorted(
      (a, b) =>
        Number(needsOthers(a)) - Number(needsOthers(b)) || worthOf(b, page) - worthOf(a, page) || a.localeCompare(b),
    )[0];
  const filesOf = (page) => [
    ...new Set(held.filter((one) => page === undefined || one.page === page).flatMap(({ files }) => files)),
  ];
  // Pages with little choice first: what must run for them may do for others.
  const pages = [...new Set(held.map((promise) => promise.page))];
  for (const page of pages.toSorted((a, b) => filesOf(a).length - filesOf(b).length)) {
    const files = filesOf(page);
    if (!files.some((file) => chosen.has(file))) chosen.add(bestOf(files, page));
  }
  const sum = () => [...chosen].reduce((total, file) => total + seconds(file), 0);
  for (;;) {
    const open = filesOf().filter(
      (file) => !chosen.has(file) && !needsOthers(file) && worthOf(file) > 0 && sum() + seconds(file) <= firstSeconds,
    );
    if (open.length === 0) return chosen;
    chosen.add(bestOf(open));
  }
}

/**
 * Sorts `files` into quick, first, rest and night; `again` are those of first and rest that run at night, too. `needsOthers`
 * says whether a file runs programs of other people's making, which take minutes to install; those are among the first journeys
 * only if nothing else holds a page.
 */
export function partsOf({ files, durations, promises, marks, needsOthers, isSampled }) {
  const seconds = (file) => secondsOf(durations, file);
  const known = marks.filter(({ file }) => files.includes(file));
  const slow = files.filter(needsServers);
  const staying = withoutSpare(slow, needsOf(promises, known), seconds);
  const first = chooseFirst(heldByServers(promises, known, staying), needsOthers, seconds);
  return {
    quick: files.filter((file) => !needsServers(file)),
    first: slow.filter((file) => first.has(file)),
    rest: slow.filter((file) => staying.has(file) && !first.has(file)),
    night: slow.filter((file) => !staying.has(file)),
    again: slow.filter((file) => staying.has(file) && isSampled(file)),
  };
}
