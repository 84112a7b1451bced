// The words of comments, and of being reminded later.
import { define } from '../define.ts';

export const talk = /* @__PURE__ */ define('talk', {
  comments: 'Comments',
  commentsCount: (n: number): string => `Comments (${n})`,
  none: 'Nothing said yet.',
  label: 'Say something to the others who may decide',
  hint: 'Only they see it; the agent never does. @ names somebody, who is told. Ctrl+Enter sends.',
  people: 'People to name',
  send: 'Comment',
  said: 'Comment added',
  failed: 'The comment was not taken; try again.',
  snooze: 'Remind me',
  snoozeMeans: 'It leaves your list until then. Its deadline stays, and so does everybody else’s list.',
  times: { hour: 'In 1 hour', threeHours: 'In 3 hours', tomorrow: 'Tomorrow', monday: 'On Monday' },
  otherTime: 'At another time',
  remind: 'Remind me then',
  notSnoozed: 'This was not taken; name a time to come.',
  snoozed: (at: string): string => `You will be reminded at ${at}.`,
  wake: 'Show it now',
});
