// The form of messages as it is filled in, and the preferences that it means.
import { noticeEvents, type NoticeEvent } from '../../../src/contract/configuration/notice-names.ts';
import type { Preferences } from '../../../src/contract/configuration/personal.ts';

export interface MessageDraft {
  which: 'configured' | 'these';
  events: readonly NoticeEvent[];
  when: 'configured' | 'hours';
  hours: string;
  often: 'configured' | 'each' | 'list';
  /** Times of the day, separated by commas. */
  times: string;
  /** Empty: every day. */
  days: string;
  zone: string;
}

/** `zone`: of the reader, where nothing was chosen. */
export function messageDraft({ events, hours, digest }: Preferences, zone: string): MessageDraft {
  const list = digest === undefined || digest === 'off' ? null : digest;
  return {
    which: events === undefined ? 'configured' : 'these',
    events: events ?? noticeEvents,
    when: hours === undefined ? 'configured' : 'hours',
    hours: hours?.hours ?? 'Mon-Fri 08:00-18:00',
    often: digest === undefined ? 'configured' : list === null ? 'each' : 'list',
    times: list?.at.join(', ') ?? '09:00, 16:00',
    days: list?.days ?? '',
    zone: list?.zone ?? hours?.zone ?? zone,
  };
}

type Chosen = Record<'events' | 'hours' | 'digest', unknown> & {
  events: NoticeEvent[] | undefined;
  hours: Preferences['hours'];
  digest: Preferences['digest'];
};

/** What is not chosen is undefined: it stays as it is configured. `before`: keeps holidays, which this form has not. */
export function preferencesOf(draft: MessageDraft, before: Preferences): Chosen {
  const { which, events, when, hours, often, times, days } = draft;
  const zone = draft.zone.trim();
  const at = times
    .split(/[,\s]+/)
    .filter((time) => time !== '')
    .map((time) => time.padStart(5, '0'));
  const list = { zone, at, ...(days.trim() !== '' && { days: days.trim() }) };
  return {
    events: which === 'these' ? noticeEvents.filter((event) => events.includes(event)) : undefined,
    hours: when === 'hours' ? { ...before.hours, zone, hours: hours.trim() } : undefined,
    digest: often === 'configured' ? undefined : often === 'each' ? 'off' : list,
  };
}
