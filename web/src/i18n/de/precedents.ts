import type { precedents as english } from '../en/precedents.ts';
import { plural } from '../plural.ts';

export const precedents: typeof english = {
  was: (value) => `war ${value}`,
  wasNot: 'war nicht angegeben',
  gone: (name, value) => `${name}: war ${value}, fehlt jetzt`,
  approvedTimes: (times) => `${times} × genehmigt`,
  youApprovedTimes: (times) => `von Ihnen ${times} × genehmigt`,
  sameAsLast: (times) => `Genau wie zuletzt genehmigt, ${times} ×`,
  differs: (n, of) => `${n} von ${plural(of, 'Argument', 'Argumenten')} nicht wie zuletzt genehmigt`,
  lastApproved: (who, when) => `${who}, ${when}`,
};
