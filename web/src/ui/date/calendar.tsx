// A month to choose a day from, by ARIA's pattern of a date grid: arrows move by days and weeks, PageUp and PageDown by months.
import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { serverNow } from '../../base/time/clock.ts';
import { reader } from '../../base/time/time.ts';
import { strings } from '../../i18n/strings.ts';
import { IconButton } from '../controls.tsx';
import { place } from '../place.ts';
import { daysLater, dayWith, firstWeekday, monthsLater, today, utcOf, weeksOf, weekStart } from './dates.ts';

const words = strings.dates;

interface Props {
  id: string;
  label: string;
  value: string;
  /** What it opens below. */
  below: RefObject<HTMLElement | null>;
  onChoose: (day: string) => void;
  onClose: () => void;
}

export function Calendar({ id, label, value, below, onChoose, onClose }: Props): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const [now] = useState(() => today(serverNow()));
  const chosen = utcOf(value) === null ? null : value;
  const [at, setAt] = useState(chosen ?? now);
  const hasMoved = useRef(false);
  const first = firstWeekday(reader.locale);

  usePlaceBelow(box, below);
  // The buttons of the month keep the focus that they have.
  useLayoutEffect(() => {
    if (hasMoved.current) return;
    hasMoved.current = true;
    box.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  }, [at]);

  const go = (day: string): void => {
    hasMoved.current = false;
    setAt(day);
  };
  const onKey = (event: KeyboardEvent): void => {
    // Nothing that is pressed here is a shortcut of the page.
    event.stopPropagation();
    if (event.key === 'Escape') onClose();
    else if (!(event.target instanceof HTMLElement) || event.target.role !== 'gridcell') return;
    else if (event.key === 'Enter' || event.key === ' ') onChoose(at);
    else {
      const isMirrored = getComputedStyle(event.target).direction === 'rtl';
      const to = dayByKey(event, at, first, isMirrored);
      if (to === null) return;
      go(to);
    }
    event.preventDefault();
  };
  return (
    <div
      ref={box}
      id={id}
      className="calendar"
      role="dialog"
      aria-label={label}
      popover="manual"
      tabIndex={-1}
      onKeyDown={onKey}
    >
      <div className="calendar-head">
        <IconButton icon="back" label={words.previousMonth} onClick={() => setAt(monthsLater(at, -1))} />
        <span id={`${id}-name`} aria-live="polite">
          {dayWith(at, { month: 'long', year: 'numeric' }, reader.locale)}
        </span>
        <IconButton icon="chevron" label={words.nextMonth} onClick={() => setAt(monthsLater(at, 1))} />
      </div>
      <Month nameId={`${id}-name`} weeks={weeksOf(at, first)} {...{ at, chosen, now, onChoose }} />
    </div>
  );
}

/** Keeps the box below its field while the page scrolls or changes its size. */
function usePlaceBelow(box: RefObject<HTMLElement | null>, below: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const put = (): void => {
      if (box.current !== null && below.current !== null) place(box.current, below.current, 420);
    };
    put();
    const gone = new AbortController();
    addEventListener('scroll', put, { capture: true, passive: true, signal: gone.signal });
    addEventListener('resize', put, { signal: gone.signal });
    return () => gone.abort();
  }, [box, below]);
}

interface MonthProps {
  nameId: string;
  weeks: string[][];
  /** The day that the keys are at. */
  at: string;
  chosen: string | null;
  now: string;
  onChoose: (day: string) => void;
}

function Month({ nameId, weeks, at, chosen, now, onChoose }: MonthProps): ReactNode {
  return (
    <table role="grid" aria-labelledby={nameId}>
      <thead>
        <tr>
          {weeks[0]?.map((day) => (
            <th key={day} scope="col" abbr={dayWith(day, { weekday: 'long' }, reader.locale)}>
              {dayWith(day, { weekday: 'short' }, reader.locale)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <td
                key={day}
                role="gridcell"
                className={day.slice(0, 7) === at.slice(0, 7) ? 'num' : 'num other'}
                tabIndex={day === at ? 0 : -1}
                aria-selected={day === chosen}
                aria-current={day === now ? 'date' : undefined}
                aria-label={dayWith(
                  day,
                  { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
                  reader.locale,
                )}
                onClick={() => onChoose(day)}
              >
                {dayWith(day, { day: 'numeric' }, reader.locale).replaceAll(/\D/g, '')}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Where a key leads from this day; null for a key that leads nowhere. */
function dayByKey({ key, shiftKey }: KeyboardEvent, day: string, first: number, isMirrored: boolean): string | null {
  const ahead = isMirrored ? -1 : 1;
  switch (key) {
    case 'ArrowRight':
      return daysLater(day, ahead);
    case 'ArrowLeft':
      return daysLater(day, -ahead);
    case 'ArrowDown':
      return daysLater(day, 7);
    case 'ArrowUp':
      return daysLater(day, -7);
    case 'Home':
      return weekStart(day, first);
    case 'End':
      return daysLater(weekStart(day, first), 6);
    case 'PageDown':
      return monthsLater(day, shiftKey ? 12 : 1);
    case 'PageUp':
      return monthsLater(day, shiftKey ? -12 : -1);
    default:
      return null;
  }
}
