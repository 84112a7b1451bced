// Days and moments of a form, in the pages' own fields; a moment is the reader's own day and time, and is sent in UTC.
import type { ReactNode } from 'react';
import { reader, zoneOf } from '../../base/time/time.ts';
import { serverNow } from '../../base/time/clock.ts';
import { strings } from '../../i18n/strings.ts';
import { DateField, TimeField } from '../../ui/date/date-field.tsx';
import { momentOf, momentParts } from '../../ui/date/dates.ts';
import { oneLine } from '../../base/text/visible.ts';
import { controlProps, isLocked, useTypedValue, type Widget } from './text-widgets.tsx';

function fieldProps(props: Widget) {
  const { id, name, 'aria-invalid': invalid, 'aria-describedby': describedBy } = controlProps(props);
  const label = oneLine(props.label, 200);
  return { id, name, label, describedBy, isLocked: isLocked(props), isInvalid: invalid === true };
}

export function DateWidget(props: Widget): ReactNode {
  const { text, type, leave } = useTypedValue(props);
  return <DateField {...fieldProps(props)} value={text} onChange={type} onLeave={leave} />;
}

export function MomentWidget(props: Widget): ReactNode {
  const { text, type, leave } = useTypedValue(props);
  const field = fieldProps(props);
  const { day, time } = momentParts(text);
  const at = Date.parse(text);
  return (
    <div className="moment">
      <DateField {...field} value={day} onChange={(next) => type(momentOf(next, time))} onLeave={leave} />
      <TimeField
        {...field}
        id={`${field.id}__time`}
        name={`${field.name}__time`}
        label={strings.dates.time(field.label, zoneOf(Number.isNaN(at) ? serverNow() : at, reader))}
        value={time}
        onChange={(next) => type(momentOf(day, next))}
        onLeave={leave}
      />
    </div>
  );
}
