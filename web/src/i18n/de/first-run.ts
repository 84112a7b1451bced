// The very first page, in German.
import type { firstRun as enFirstRun } from '../en/first-run.ts';

export const firstRun: typeof enFirstRun = {
  title: 'In drei Schritten sehen, wie es geht',
  lead: 'Ein Agent fragt, Sie antworten, und die Antwort erreicht ihn einmal, was dazwischen auch stirbt.',
  drawing: {
    asks: 'Ein Agent fragt',
    waits: 'Die Frage wartet in Temporal',
    killed: 'Alle Prozesse werden beendet',
    answers: 'Sie antworten, und es geht weiter',
  },
  ask: 'Einen Agenten um etwas bitten',
  askHow: 'Ein Klick sendet es, als hätten Sie es in den Chat geschrieben.',
  sends: (agent) => `Sendet das an ${agent}`,
  answer: 'Seine Rückfrage beantworten',
  answerHow: 'Die Frage erscheint im Chat und hier unter „Für mich“, mit dem, auf wen sie wartet und bis wann.',
  see: 'Sehen, was gewartet hat',
  seeHow: 'Die Aufgabe ist ein Temporal-Workflow: Beenden Sie alle Prozesse, starten Sie neu, und es geht weiter.',
  temporal: 'Temporal öffnen',
  noAgents: 'Es ist kein Agent eingerichtet. Starten Sie den Demo-Agenten, oder nennen Sie Ihren in standfast.yaml:',
  command: 'npm start',
};
