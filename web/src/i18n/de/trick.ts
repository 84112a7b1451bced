// The words at the end of the first minute, in German.
import type { trick as english } from '../en/trick.ts';

export const trick: typeof english = {
  title: 'Beenden Sie jetzt Standfast',
  ask: 'Ihre Antwort hat den Agenten erreicht, einmal. Bitten Sie noch einmal um etwas, und lassen Sie die Frage offen.',
  kill: (headline, until) =>
    `„${headline}“ wartet${until === '' ? '' : ` bis ${until}`}. Drücken Sie Strg+C im Terminal von Standfast, oder beenden Sie den Prozess, und sehen Sie auf diese Seite.`,
  gone: (seconds) => `Fort seit ${seconds} s. Kein Prozess von Standfast läuft.`,
  again: 'Starten Sie es wieder, wie Sie es gestartet hatten.',
  back: (seconds, until) =>
    `Nach ${seconds} s wieder da: dieselbe Frage${until === '' ? '' : `, dieselbe Frist, ${until}`}.`,
  other: (seconds) => `Nach ${seconds} s wieder da. Die Frage ist inzwischen so geendet, wie es ihre Regel sagt.`,
  answer: 'Jetzt beantworten',
  temporal: 'In Temporal ansehen',
  done: 'Nicht wieder zeigen',
};
