// Exports that a genuine one was made into.
import { sha256 } from './attack-rig.ts';

export type Line = { type: string; [name: string]: unknown };

const isOwnRecord = ({ type, record }: Line): boolean =>
  type === 'record' && !String(record).includes('"kind":"signed"');
const contentIn = ({ type, content, seq, at: when, hold, previous, row, record }: Line): string =>
  type === 'link'
    ? String(content)
    : sha256([seq, Date.parse(String(when)), hold ?? '', previous ?? '', row ?? '', record].join('\n'));

/** The lines with the numbers and hashes that follow from their contents. */
function rehashed([start, ...lines]: Line[]): Line[] {
  let [seq, hash] = [Number(start?.['seq']), String(start?.['hash'])];
  const changed = lines.map((line) => {
    if (line.type === 'hold') return line;
    const next: Line = { ...line, seq: (seq += 1) };
    hash = sha256(`${hash}\n${contentIn(next)}`);
    return line.type === 'link' ? next : { ...next, hash };
  });
  return start === undefined ? [] : [start, ...changed];
}

const byOther = (lines: Line[]): Line[] =>
  lines.map((line) =>
    line.type === 'record' ? { ...line, record: String(line['record']).replaceAll('"fin"', '"fin2"') } : line,
  );

/** Exports that somebody made of a genuine one. */
export const forgeries: [what: string, forge: (lines: Line[]) => Line[]][] = [
  ['another decider', byOther],
  [
    'another decider, unsigned',
    (lines) => rehashed(byOther(lines).filter((line) => line.type !== 'record' || isOwnRecord(line))),
  ],
  [
    'a second start',
    (lines) => {
      const signed = lines.findIndex((line) => line.type === 'record' && !isOwnRecord(line));
      const before = lines.slice(0, signed);
      const hash = before
        .slice(1)
        .reduce((last, line) => sha256(`${last}\n${contentIn(line)}`), String(before[0]?.['hash']));
      return [
        ...rehashed(byOther(before)),
        { type: 'start', seq: before.at(-1)?.['seq'], hash },
        ...lines.slice(signed),
      ];
    },
  ],
  [
    'a record hidden as a link',
    (lines) =>
      lines.map((line) =>
        String(line['record']).includes('"kind":"opened"')
          ? { type: 'link', seq: line['seq'], content: contentIn(line) }
          : line,
      ),
  ],
  [
    'columns exchanged',
    (lines) =>
      lines.map((line) => {
        if (line.type !== 'hold') return line;
        const { owner, thread_id: thread, ...others } = line['columns'] as Record<string, unknown>;
        return { ...line, columns: { ...others, owner: thread, thread_id: owner } };
      }),
  ],
  ['a record left out', (lines) => lines.toSpliced(2, 1)],
  ['an unknown line', (lines) => lines.toSpliced(2, 0, { type: 'note' })],
];
