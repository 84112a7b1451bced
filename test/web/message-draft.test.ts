import { expect, test } from '@jest/globals';
import { noticeEvents } from '../../src/contract/configuration/notice-names.ts';
import { PreferencesSchema, type Preferences } from '../../src/contract/configuration/personal.ts';
import { messageDraft, preferencesOf } from '../../web/src/settings/message-draft.ts';

const digest = { zone: 'Europe/Berlin', at: ['09:00', '16:30'], days: 'Mon-Fri' };
const hours = { zone: 'Europe/Berlin', hours: 'Mon-Fri 08:00-18:00', holidays: 'DE' };

test('The form of messages offers every event', () => {
  expect([...messageDraft({}, 'Europe/Berlin').events].toSorted()).toEqual([...noticeEvents].toSorted());
});

test.each<Preferences>([
  {},
  { events: ['opened', 'decided'] },
  { hours },
  { digest },
  { digest: 'off' },
  { hours, digest },
])('The form of messages keeps the preferences %j as they are', (preferences) => {
  const draft = messageDraft(preferences, 'UTC');
  const saved = Object.entries(preferencesOf(draft, preferences)).filter(([, value]) => value !== undefined);
  expect(Object.fromEntries(saved)).toEqual(preferences);
});

test('Times of lists are read however they are separated, as the server takes them', () => {
  const draft = { ...messageDraft({}, 'UTC'), often: 'list' as const, times: ' 9:00  16:30,18:00', days: ' ' };
  const { digest: read } = preferencesOf(draft, {});
  expect(read).toEqual({ zone: 'UTC', at: ['09:00', '16:30', '18:00'] });
  expect(PreferencesSchema.safeParse({ digest: read }).success).toBe(true);
});
