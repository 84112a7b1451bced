// The words of comments, and of being reminded later, in German.
import type { talk as enTalk } from '../en/talk.ts';

export const talk: typeof enTalk = {
  comments: 'Kommentare',
  commentsCount: (n) => `Kommentare (${n})`,
  none: 'Noch nichts gesagt.',
  label: 'Den anderen, die entscheiden dürfen, etwas sagen',
  hint: 'Nur sie sehen es; der Agent nie. @ nennt jemanden, der davon erfährt. Strg+Enter sendet.',
  people: 'Wen Sie nennen können',
  send: 'Kommentieren',
  added: 'Kommentar hinzugefügt',
  failed: 'Der Kommentar wurde nicht angenommen; versuchen Sie es noch einmal.',
  snooze: 'Erinnern',
  snoozeMeans: 'Bis dahin verschwindet es aus Ihrer Liste. Die Frist bleibt, und die Listen der anderen auch.',
  times: {
    quarter: 'In 15 Minuten',
    hour: 'In 1 Stunde',
    threeHours: 'In 3 Stunden',
    tomorrow: 'Morgen früh',
    monday: 'Montag früh',
  },
  ownDay: 'Tag',
  ownTime: (zone) => (zone === '' ? 'Uhrzeit' : `Uhrzeit (${zone})`),
  remind: 'Dann erinnern',
  notSnoozed: 'Das wurde nicht angenommen; nennen Sie eine künftige Zeit.',
  snoozed: (at) => `Sie werden erinnert: ${at}.`,
  wake: 'Jetzt zeigen',
  extend: 'Verlängern',
  extendMeans: 'Für alle, die gefragt sind. Es steht im Protokoll, und verschickte Nachrichten sagen es.',
  longer: { hour: '1 Stunde mehr', fourHours: '4 Stunden mehr', day: '1 Tag mehr', week: '1 Woche mehr' },
  extended: (at) => `Die Frist ist jetzt ${at}.`,
};
