/** One code: HTTP status (null = never by HTTP), whether RUN_ERROR may carry it, whether the same again is safe and useful. */
export interface ProblemEntry {
  http: number | null;
  isRunError: boolean;
  isRetryable: boolean;
  title: string;
}

/** The one list of codes; the table of docs/errors.md is made of it. */
export const problems = {
  input_invalid: { http: 400, isRunError: false, isRetryable: false, title: 'The request is not valid' },
  not_authenticated: { http: 401, isRunError: false, isRetryable: false, title: 'A valid API key is needed' },
  sign_in_unavailable: {
    http: 503,
    isRunError: false,
    isRetryable: true,
    title: 'The identity provider cannot be reached',
  },
  forbidden: { http: 403, isRunError: false, isRetryable: false, title: 'Not allowed for this caller' },
  not_found: { http: 404, isRunError: false, isRetryable: false, title: 'There is no such thing here' },
  too_large: { http: 413, isRunError: false, isRetryable: false, title: 'The request is too large' },
  rate_limited: { http: 429, isRunError: false, isRetryable: true, title: 'Too many requests' },
  run_conflict: {
    http: 409,
    isRunError: false,
    isRetryable: false,
    title: 'This id was used before, with other content',
  },
  busy: { http: 429, isRunError: true, isRetryable: true, title: 'Too many requests wait on this task' },
  interrupts_pending: {
    http: null,
    isRunError: true,
    isRetryable: false,
    title: 'Open questions must be answered first',
  },
  interrupt_unknown: {
    http: null,
    isRunError: true,
    isRetryable: false,
    title: 'There is no such question on this thread',
  },
  interrupts_not_covered: {
    http: null,
    isRunError: true,
    isRetryable: false,
    title: 'Every open question must be answered',
  },
  interrupt_expired: { http: 409, isRunError: true, isRetryable: false, title: 'The question has expired' },
  hold_closed: { http: 409, isRunError: true, isRetryable: false, title: 'The question has been decided already' },
  already_voted: {
    http: 409,
    isRunError: true,
    isRetryable: false,
    title: 'This caller has agreed already, with another answer',
  },
  digest_mismatch: {
    http: 409,
    isRunError: true,
    isRetryable: false,
    title: 'The question is not the one that was shown',
  },
  edit_under_other_policy: {
    http: 409,
    isRunError: true,
    isRetryable: false,
    title: 'The call as it was edited comes under another policy',
  },
  hold_damaged: {
    http: 409,
    isRunError: true,
    isRetryable: false,
    title: 'The stored question cannot be read, or is not the one that was asked',
  },
  digest_required: {
    http: 422,
    isRunError: true,
    isRetryable: false,
    title: 'The answer must name the digest of the question',
  },
  passkey_required: {
    http: 403,
    isRunError: true,
    isRetryable: false,
    title: 'The answer must be signed with a passkey, on the page of the question',
  },
  passkey_invalid: {
    http: 403,
    isRunError: true,
    isRetryable: false,
    title: 'The passkey’s signature is not of this answer',
  },
  bulk_not_allowed: {
    http: 422,
    isRunError: false,
    isRetryable: false,
    title: 'This question is not decided among many',
  },
  changed_meanwhile: {
    http: 409,
    isRunError: false,
    isRetryable: false,
    title: 'This question is not as it was when it was confirmed',
  },
  not_restartable: { http: 409, isRunError: false, isRetryable: false, title: 'This task cannot be tried again' },
  payload_invalid: { http: 422, isRunError: true, isRetryable: false, title: 'The answer does not fit the question' },
  not_allowed_to_decide: {
    http: 403,
    isRunError: true,
    isRetryable: false,
    title: 'This caller may not decide this question',
  },
  decision_not_confirmed: {
    http: 503,
    isRunError: true,
    isRetryable: true,
    title: 'The decision could not be confirmed yet',
  },
  worker_unavailable: { http: 503, isRunError: true, isRetryable: true, title: 'No worker is taking tasks now' },
  engine_unavailable: { http: 503, isRunError: true, isRetryable: true, title: 'Temporal cannot be reached' },
  store_unavailable: { http: 503, isRunError: true, isRetryable: true, title: 'The database cannot be reached' },
  agent_unreachable: { http: null, isRunError: true, isRetryable: false, title: 'The agent could not be reached' },
  agent_failed: { http: null, isRunError: true, isRetryable: false, title: 'The agent failed' },
  agent_rejected: { http: null, isRunError: true, isRetryable: false, title: 'The agent rejected the task' },
  agent_silent: { http: null, isRunError: true, isRetryable: false, title: 'The agent did not answer in time' },
  delivery_unknown: {
    http: null,
    isRunError: true,
    isRetryable: false,
    title: 'It is not known whether the agent got the message',
  },
  execution_lost: { http: null, isRunError: true, isRetryable: false, title: 'Temporal has lost the task' },
  hold_expired: { http: null, isRunError: true, isRetryable: false, title: 'No answer came in time' },
  engram_disabled: {
    http: 400,
    isRunError: false,
    isRetryable: false,
    title: 'Records of this agent are not switched on',
  },
  engram_mode_unknown: {
    http: 400,
    isRunError: false,
    isRetryable: false,
    title: 'The run does not say what it wants of the records',
  },
  engram_messages: {
    http: 400,
    isRunError: false,
    isRetryable: false,
    title: 'A run about records brings no messages',
  },
  engram_not_advertised: {
    http: null,
    isRunError: true,
    isRetryable: false,
    title: 'The agent does not offer its records',
  },
  engram_conflict: { http: null, isRunError: true, isRetryable: false, title: 'A record was changed meanwhile' },
  engram_failed: {
    http: null,
    isRunError: true,
    isRetryable: false,
    title: 'The agent could not do that with its records',
  },
  internal: { http: 500, isRunError: true, isRetryable: false, title: 'Standfast failed' },
} as const satisfies Record<string, ProblemEntry>;

export type ProblemCode = keyof typeof problems;

/** A refusal as a value: what `core` returns and handlers pass on. */
export interface Refusal {
  ok: false;
  code: ProblemCode;
  message: string;
  data?: { errors?: { path: string; message: string }[]; retryAfterS?: number; [key: string]: unknown };
}
