// Open questions that lie in the database as if agents had asked them: no agent waits for the answers.
import { PolicySchema } from '#dist/contract/configuration/policy.js';
import { nextStepOf, planLadder } from '#dist/core/policy/ladder.js';
import { holdDigest } from '#dist/core/consent/question-digest.js';
import { fingerprintOf } from '#dist/host/secrets/hash.js';
import { newRow } from '#dist/store/tables/holds/new-row.js';

const policy = PolicySchema.parse({ audience: ['role:finance'], expire: { after: '8h', then: 'fail' } });
const yesNo = {
  type: 'object',
  properties: { confirmed: { type: 'boolean', title: 'Confirm' } },
  required: ['confirmed'],
};

/** A form of so many lines of text, each of them required: nothing of it is collapsed. */
function longForm(/** @type {number} */ fields) {
  const names = Array.from({ length: fields }, (_, n) => `field_${n + 1}`);
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: names,
  };
}

/**
 * @param {number} n which of them; the earliest is due first
 * @param {{ fields?: number }} options a form of so many fields in place of a yes or no
 */
export function openQuestion(n, { fields } = {}) {
  // Hours before its end: words that count seconds would be drawn each second.
  const openedAt = new Date(Date.now() - 3_600_000 + n * 100).toISOString();
  const plan = planLadder('finance', policy, openedAt);
  const isForm = fields !== undefined;
  const holdId = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  /** @type {import('#dist/contract/holds/question.js').Question} */
  const question = {
    dialect: 'a2a.hitl.form',
    kind: isForm ? 'form' : 'confirmation',
    formId: 'bench',
    title: isForm ? `A form of ${fields} fields` : `Pay invoice ${n}?`,
    hasOwnTitle: true,
    message: 'The supplier wants the **money** before Friday.\n\n- once\n- to the account we know',
    schema: isForm ? longForm(fields) : yesNo,
    defaults: {},
    form: null,
    errors: {},
    tool: null,
    links: [],
    secrets: [],
    reply: {},
  };
  const shown = { question, artifacts: [], attachments: [] };
  return {
    holdId,
    interruptId: `hitl-bench-${n}`,
    n: 1,
    ...shown,
    digest: holdDigest(fingerprintOf, { ...shown, holdId, agent: 'bench', requester: 'local' }),
    status: 'open',
    canRefuse: true,
    audience: policy.audience,
    plan,
    stepsTaken: 0,
    nextStep: nextStepOf(plan, 0),
    openedAt,
    expiresAt: plan.expiresAt,
    decision: null,
    answerFingerprint: null,
    votes: [],
    pause: { firstN: 1, count: 1 },
    supersedes: null,
    supersededBy: null,
    asking: false,
    ended: null,
    taskId: holdId,
    agent: 'bench',
    threadId: `bench-${n}`,
    owner: 'local',
    openedInRun: 'ask',
    card: {},
    updatedAt: openedAt,
    ...newRow(),
    outgoing: null,
  };
}
