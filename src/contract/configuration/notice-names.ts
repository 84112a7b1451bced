// What people and channels are notified of.

export const noticeEvents = [
  'opened',
  'reminder',
  'escalation',
  'reassigned',
  'reassign-asked',
  'mentioned',
  'nudged',
  'extended',
  'decided',
  'expired',
  'superseded',
] as const;
export type NoticeEvent = (typeof noticeEvents)[number];
