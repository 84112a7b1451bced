// Until when a question of a list waits, or how long ago it ended.
import { hasEnded } from '../../../../src/contract/holds/hold-names.ts';
import type { HoldRowView } from '../../../../src/contract/views/inbox.ts';
import { agoWords, dueWords, reader, type Tone, useTimeWords } from '../../base/time/time.ts';
import { strings } from '../../i18n/strings.ts';

export interface RowTime {
  short: string;
  spoken: string;
  tone: Tone;
  absolute: string;
}

/** Words of a row's time, rendered again only when one of them changes. */
export function useRowTime(row: HoldRowView): RowTime {
  const isOpen = !hasEnded(row.status);
  const near = useTimeWords((now) => {
    const words = isOpen ? dueWords(row, now, reader) : null;
    return words?.isNear === true ? 'near' : '';
  });
  const packed = useTimeWords((now) => {
    if (!isOpen) {
      const ago = row.ended === null ? '' : agoWords(Date.parse(row.ended.at), now);
      return [ago, ago, 'neutral', ''].join('\n');
    }
    const words = dueWords(row, now, reader);
    if (words === null) return [strings.inbox.noDeadline, strings.inbox.noDeadline, 'neutral', ''].join('\n');
    return [words.pill, words.spoken, words.tone, words.absolute].join('\n');
  }, near !== '');
  const [short = '', spoken = '', tone = 'neutral', absolute = ''] = packed.split('\n');
  return { short, spoken, tone: tone === 'warn' || tone === 'danger' ? tone : 'neutral', absolute };
}
