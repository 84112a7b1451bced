// A day and a time of one's own, in the reader's language and clock: what a browser's own field shows depends on its build.
import { type ReactNode, useState } from 'react';
import { serverNow } from '../../base/live/api.ts';
import { nearDayWords, reader, timeOf, zoneOf } from '../../base/time/time.ts';
import { strings } from '../../i18n/strings.ts';
import { LabelledListbox, type Option } from '../../ui/listbox.tsx';
import { snoozeDays, usualTime } from './snooze-times.ts';

const words = strings.talk;

export function OwnTime({
  expiresAt,
  onChoose,
}: {
  expiresAt: string | null;
  onChoose: (ms: number) => void;
}): ReactNode {
  // As it was when the menu was drawn: times that pass meanwhile are refused by the server.
  const [now] = useState(serverNow);
  const days = snoozeDays(now, expiresAt);
  const [chosen, setChosen] = useState(() => usualTime(days[1] ?? days[0] ?? []));
  const day = days.find((one) => one.includes(chosen));
  if (day === undefined) return null;
  const dayOptions = days.map((one): Option => [String(one[0]), nearDayWords(one[0] ?? now, now, reader)]);
  const timeOptions = day.map((atMs): Option => [String(atMs), timeOf(atMs, reader)]);
  return (
    <div className="own-time">
      <LabelledListbox
        label={words.ownDay}
        value={String(day[0])}
        options={dayOptions}
        onChoose={(first) => setChosen(usualTime(days.find((one) => String(one[0]) === first) ?? day))}
      />
      <LabelledListbox
        label={words.ownTime(zoneOf(chosen, reader))}
        value={String(chosen)}
        options={timeOptions}
        onChoose={(atMs) => setChosen(Number(atMs))}
      />
      <button type="button" className="button small" onClick={() => onChoose(chosen)}>
        {words.remind}
      </button>
    </div>
  );
}
