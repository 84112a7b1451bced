// The words of comments, of being reminded later, and of a later deadline.
import { define } from '../define.ts';

export const talk = /* @__PURE__ */ define('talk', {
  comments: 'Comments',
  commentsCount: (n: number): string => `Comments (${n})`,
  none: 'No comments yet.',
  label: 'Say something to the others who may decide',
  hint: 'Only they see it; the agent never does. @ mentions somebody, who is notified. Ctrl+Enter sends.',
  people: 'People to name',
  send: 'Comment',
  added: 'Comment added',
  failed: 'The comment was not taken; try again.',
  snooze: 'Remind me',
  snoozeMeans: 'It leaves your list until then. Its deadline stays, and so does everybody else’s list.',
  times: {
    quarter: 'In 15 minutes',
    hour: 'In 1 hour',
    threeHours: 'In 3 hours',
    tomorrow: 'Tomorrow morning',
    monday: 'Monday morning',
  },
  ownDay: 'Day',
  ownTime: (zone: string): string => (zone === '' ? 'Time' : `Time (${zone})`),
  remind: 'Remind me then',
  notSnoozed: 'This was not taken; name a time to come.',
  snoozed: (at: string): string => `You will be reminded at ${at}.`,
  wake: 'Show it now',
  extend: 'Extend',
  extendMeans: 'For everybody who is asked. It is in the record, and in messages that were sent.',
  longer: { hour: '1 hour more', fourHours: '4 hours more', day: '1 day more', week: '1 week more' },
  extended: (at: string): string => `The deadline is now ${at}.`,
});
