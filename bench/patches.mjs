// What our own difference of two states saves against fast-json-patch's `compare`: `node --import tsx bench/patches.mjs`.
// A projector makes one difference an event; between two of them all but the changed branch is the same object.
import jsonPatch from 'fast-json-patch';
import { difference, withValueAt } from '../src/wire/agui/model/state-patch.ts';

const artifact = (text) => ({ name: 'report', parts: [{ kind: 'text', text }] });
const stateOf = (count) => ({
  view: {
    artifacts: Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, artifact('x'.repeat(200))])),
    tasks: {},
    log: [],
  },
});

const cases = {
  'one of 200 artifacts grows by a token': (n) =>
    withValueAt(base, ['view', 'artifacts', 'a7'], artifact('y'.repeat(n + 1))),
  'a list of 1,000 entries gets one more': (n) => withValueAt(base, ['view', 'log'], [...list, { n }]),
};
const list = Array.from({ length: 1_000 }, (_, n) => ({ n, text: 'entry' }));
const base = withValueAt(stateOf(200), ['view', 'log'], list);

function microseconds(work, make) {
  const rounds = 300;
  const next = Array.from({ length: rounds }, (_, n) => make(n));
  for (let n = 0; n < 100; n += 1) work(base, next[n]);
  const times = [];
  for (let round = 0; round < 5; round += 1) {
    const start = process.hrtime.bigint();
    for (const after of next) work(base, after);
    times.push(Number(process.hrtime.bigint() - start) / 1000 / rounds);
  }
  return times.toSorted((a, b) => a - b)[2];
}

console.log(
  '| difference | Standfast, µs | fast-json-patch, µs | ops, bytes (Standfast) | ops, bytes (fast-json-patch) |',
);
console.log('| --- | --- | --- | --- | --- |');
for (const [name, make] of Object.entries(cases)) {
  const after = make(0);
  const size = (ops) => `${ops.length}, ${JSON.stringify(ops).length}`;
  const own = microseconds(difference, make).toFixed(1);
  const theirs = microseconds((a, b) => jsonPatch.compare(a, b), make).toFixed(1);
  console.log(
    `| ${name} | ${own} | ${theirs} | ${size(difference(base, after))} | ${size(jsonPatch.compare(base, after))} |`,
  );
}
