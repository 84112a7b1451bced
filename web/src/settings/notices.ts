// Desktop notifications: asked for by a click only, shown only while the page is hidden, and with little text.
import { useEffect } from 'react';
import { onRows } from '../base/live/event-stream.ts';
import { oneLine } from '../base/text/visible.ts';
import iconPlain from '../base/page/favicon.svg';
import { agentTitle } from '../base/account/names.ts';
import { navigate } from '../base/router/router.ts';
import { holdPath } from '../base/router/routes.ts';
import { chooseNotices, useWantsNotices } from './settings.ts';
import { strings } from '../i18n/strings.ts';

export const canNotify = (): boolean => typeof Notification !== 'undefined';

/** Asks the browser; true when it allows them. Only ever from a click. */
export async function askForNotices(): Promise<boolean> {
  if (!canNotify()) return false;
  const isAllowed = (await Notification.requestPermission()) === 'granted';
  chooseNotices(isAllowed);
  return isAllowed;
}

/** Opened a moment ago, as far as this page is concerned: an old question that changed is not news. */
const freshMs = 60_000;

export function useNotices(now: () => number): void {
  const isOn = useWantsNotices();
  useEffect(() => {
    if (!isOn || !canNotify() || Notification.permission !== 'granted') return undefined;
    const asleep = new Set<string>();
    return onRows((rows) => {
      for (const row of rows) {
        const isReminded = asleep.has(row.id) && row.snoozedUntil === null;
        if (row.snoozedUntil === null) asleep.delete(row.id);
        else asleep.add(row.id);
        if (!document.hidden || row.status !== 'open' || !row.forMe) continue;
        if (!isReminded && now() - Date.parse(row.openedAt) > freshMs) continue;
        // The same tag from two tabs is one notification.
        const notice = new Notification(isReminded ? strings.notification.reminded : strings.notification.title, {
          body: strings.notification.body(agentTitle(row.agent), oneLine(row.headline, 120)),
          tag: row.id,
          icon: iconPlain,
        });
        notice.addEventListener('click', () => {
          window.focus();
          navigate(holdPath(row.id));
          notice.close();
        });
      }
    });
  }, [isOn, now]);
}
