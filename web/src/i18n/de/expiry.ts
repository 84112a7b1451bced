// What silence does, in German.
import type {
  expiry as enExpiry,
  gates as enGates,
  grants as enGrants,
  ladder as enLadder,
  stages as enStages,
} from '../en/expiry.ts';
import { plural } from '../plural.ts';

export const expiry: typeof enExpiry = {
  then: {
    fail: 'dann scheitert die Aufgabe',
    cancel: 'dann wird die Aufgabe abgebrochen',
    reject: 'dann gilt es als abgelehnt',
    default: 'dann werden die Vorschläge gesendet',
    'keep-open': 'es bleibt offen',
  },
  did: {
    fail: 'die Aufgabe ist gescheitert',
    cancel: 'die Aufgabe wurde abgebrochen',
    reject: 'es galt als abgelehnt',
    default: 'die Vorschläge wurden gesendet',
    'keep-open': 'es blieb offen',
  },
  after: {
    fail: (after) => `Nach ${after}: Die Aufgabe scheitert.`,
    cancel: (after) => `Nach ${after}: Die Aufgabe wird abgebrochen.`,
    reject: (after) => `Nach ${after}: Der Agent hört ein Nein.`,
    default: (after) => `Nach ${after}: Der Vorschlag des Agenten wird gesendet.`,
    'keep-open': (after) => `Nach ${after}: Sie ist überfällig und bleibt offen.`,
  },
};

export const stages: typeof enStages = {
  label: 'Wer zustimmen muss',
  count: (have, need) => `${have} von ${need}`,
  states: { agreed: 'hat zugestimmt', asked: 'wird jetzt gefragt', waiting: 'wird später gefragt' },
};

export const grants: typeof enGrants = {
  none: 'Nichts ist freigegeben: Jeder Aufruf wird gefragt. Wo eine Regel es erlaubt, steht „Genehmigen und nicht mehr fragen“ neben „Genehmigen“.',
  by: 'Erteilt von',
  ranges: 'Darf abweichen',
  equal: 'nichts: alle Argumente sind gleich',
  used: 'Aufrufe',
  sum: (of) => `Summe von ${of}`,
  until: 'Bis',
  recheck: 'Trotzdem gefragt',
  oneIn: (n) => `1 von ${n}`,
  of: (have, most) => `${have} von ${most}`,
  ended: 'Beendet',
  endedBy: (why, who) => `${why} von ${who}`,
  whys: { revoked: 'widerrufen', no: 'abgelehnt' },
  states: {
    proposed: 'wartet auf andere',
    active: 'gilt',
    'used-up': 'verbraucht',
    over: 'abgelaufen',
    ended: 'beendet',
  },
  source: 'eine Freigabe',
  madeOf: 'Die Genehmigung, aus der sie entstand',
  give: 'Ebenfalls erteilen',
  given: 'Erteilt.',
  revoke: 'Widerrufen',
  revoked: 'Widerrufen. Solche Aufrufe werden wieder gefragt.',
  withYes: 'Genehmigen und nicht mehr fragen…',
  confirmWithYes: 'Bestätigen: genehmigen und nicht mehr fragen',
  means: 'Genehmigt diesen Aufruf; nach Aufrufen wie diesem wird, so weit wie gezeigt, nicht mehr gefragt.',
  scope: 'Nach diesen Aufrufen wird nicht mehr gefragt:',
  tool: 'Werkzeug',
  atMost: (n) => `höchstens ${n}`,
  persons: 'Personen, die sie erteilen',
  gave: (isPart) =>
    isPart ? 'Freigegeben, sobald andere es ebenso tun.' : 'Nach Aufrufen wie diesem wird nicht mehr gefragt.',
};

export const ladder: typeof enLadder = {
  label: 'Ihre Schritte',
  here: 'Hier ist sie jetzt',
  now: 'jetzt',
  asked: (whom) => (whom === '' ? 'gefragt' : `${whom} gefragt`),
  reminds: 'Erinnerung',
  reminded: (times) => (times === 1 ? 'erinnert' : plural(times, 'Erinnerung', 'Erinnerungen')),
  adds: (whom) => `auch ${whom}`,
  replaces: (whom) => `stattdessen ${whom}`,
  noEnd: 'kein Ende',
  ends: {
    fail: 'die Aufgabe scheitert',
    cancel: 'die Aufgabe wird abgebrochen',
    reject: 'gilt als abgelehnt',
    default: 'die vorgeschlagenen Werte gehen an den Agenten',
    'keep-open': 'überfällig, bleibt offen',
  },
};

export const gates: typeof enGates = {
  title: 'Gates',
  before: (server) => `vor ${server}`,
  approved: (count, all) => `${count} von ${all} Werkzeugen sind freigegeben.`,
  isNew: 'neu: zurückgehalten',
  hasChanged: 'geändert: zurückgehalten',
  approve: (tool) => `${tool} so freigeben, wie es jetzt ist`,
  isApproved: (tool) => `${tool} ist freigegeben.`,
};
