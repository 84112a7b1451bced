// What silence does, in German.
import type { expiry as enExpiry, stages as enStages } from '../en/expiry.ts';

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
