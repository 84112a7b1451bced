// What the pages may weigh, and how it is measured: from the manifest that vite writes next to them.

export const kb = 1024;
/** Gzip budgets in bytes; the build fails above them. */
export const budgets = {
  entry: 116 * kb,
  // The steps of a question as a line, on its own page and its requester's, and the yes that grants calls like it.
  // What draws the first of them ahead came from the first page.
  hold: 122 * kb,
  markdown: 13 * kb,
  chat: 12 * kb,
  // With who waits on whom.
  overview: 8 * kb,
  css: 10.5 * kb,
  // With the font, the table of a review, the steps of a question, the lanes of a task, the requester’s cards, arguments
  // laid out as a grid, a conversation that has not begun, the bar of a review, and what the palette offers, none of which
  // the first page has.
  laterCss: 11 * kb,
  // Pictures, each of which comes where it is drawn, the list that is searched, the outline of forms, what a grant comes to,
  // one's own requests below an empty list, amounts as their currency has them.
  js: 340 * kb,
};

/** Every chunk that a chunk needs at once, itself included. */
export function closureOf(manifest, key, found = new Set()) {
  if (found.has(key) || manifest[key] === undefined) return found;
  found.add(key);
  for (const next of manifest[key].imports ?? []) closureOf(manifest, next, found);
  return found;
}

/** Sizes by budget, from the manifest that vite wrote: each file is weighed once, for the first that needs it. */
export function weigh(manifest, sizeOf) {
  const taken = new Set();
  const take = (keys) => {
    let sum = 0;
    for (const key of keys) {
      const { file } = manifest[key];
      if (taken.has(file) || !file.endsWith('.js')) continue;
      taken.add(file);
      sum += sizeOf(file);
    }
    return sum;
  };
  const keys = Object.keys(manifest);
  const named = (end) => keys.filter((key) => key.endsWith(end)).flatMap((key) => [...closureOf(manifest, key)]);
  const markdown = take(keys.filter((key) => manifest[key].name === 'marked'));
  const entry = take([
    ...keys.filter((key) => manifest[key].isEntry).flatMap((key) => [...closureOf(manifest, key)]),
    // The task's own; what it shares with the question is the question's.
    ...keys.filter((key) => key.endsWith('src/task/task-page.tsx')),
  ]);
  const chat = take(keys.filter((key) => key.endsWith('src/chat/chat-page.tsx')));
  const overview = take(keys.filter((key) => key.endsWith('src/overview/overview-page.tsx')));
  // What a question loads, and all that loads later still from there.
  const hold = take([
    ...named('src/hold/hold-pane.tsx'),
    ...keys.filter((key) => key.includes('src/hold/')).flatMap((key) => [...closureOf(manifest, key)]),
  ]);
  const rest = take(keys.filter((key) => manifest[key].file.endsWith('.js')));
  const styles = (some) => [
    ...new Set(
      some.flatMap((key) => [manifest[key].file, ...(manifest[key].css ?? [])]).filter((file) => file.endsWith('.css')),
    ),
  ];
  const sum = (files) => files.reduce((all, file) => all + sizeOf(file), 0);
  // What every reader gets, and what pages other than the inbox bring along.
  const first = styles(keys.filter((key) => manifest[key].isEntry).flatMap((key) => [...closureOf(manifest, key)]));
  const later = styles(keys).filter((file) => !first.includes(file));
  const js = entry + hold + markdown + chat + overview + rest;
  return { entry, hold, markdown, chat, overview, rest, css: sum(first), laterCss: sum(later), js };
}

/** The budgets that are broken, in words. */
export function tooHeavy(sizes) {
  return Object.entries(budgets)
    .filter(([name, max]) => sizes[name] > max)
    .map(([name, max]) => `${name}: ${(sizes[name] / kb).toFixed(1)} KB gzip, at most ${max / kb}`);
}
