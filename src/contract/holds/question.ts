import type { Json, JsonObject } from '../base/json.ts';
import type { MatchedRule } from '../configuration/policy.ts';
import type { holdKinds } from '../base/kind-names.ts';
import type { WholePart } from './whole.ts';

/** Ways in which agents ask, as rules of the configuration name them. */
export const dialectNames = [
  'a2a.hitl.form',
  'a2a.input.request',
  'adk',
  'kagent.hitl',
  'langchain',
  'strands',
  'agentstack',
  'mastra',
  'value',
  'auth',
  'plain',
] as const;
export type DialectName = (typeof dialectNames)[number];

export type HoldKind = (typeof holdKinds)[number];

/** One question of an agent, read by a dialect and independent of it from here on. */
export interface Question {
  /** The dialect that read it and will write the answer: `a2a.hitl.form`, `plain`, `operator`. */
  dialect: string;
  kind: HoldKind;
  formId: string | null;
  title: string;
  /** False: Standfast's title for questions of this sort, which tells none from another. */
  hasOwnTitle: boolean;
  /** The agent's words, plain text or Markdown; hostile until shown escaped. */
  message: string;
  /** JSON Schema (2020-12 subset of core/form-profile) of the answer; always an object schema. */
  schema: JsonObject;
  defaults: JsonObject;
  /** Names of defaults that are a person's own, from an earlier answer; the clock never says them. */
  filledIn?: string[];
  /** The agent's own defaults under those, where it has not clearly asked the same again. */
  proposed?: JsonObject;
  /** The form as the agent wrote it (bounded), for front ends that draw it themselves; null when there is none. */
  form: Json;
  /** What the agent says of it in metadata and reasoning, of which nothing goes back to it. */
  stated?: { risk?: string; reasoning?: string };
  /** Its own deadline, a duration from its opening: it ends then without an answer, where its policy does not end it before. */
  expireAfter?: string;
  /** Errors of a refused earlier answer, by field. */
  errors: { [field: string]: string };
  /** The tool call that waits for approval or for its result; null when the question is about none. */
  tool: QuestionTool | null;
  /** Web addresses (http, https) to show as links; never fetched by us. */
  links: { url: string; title: string }[];
  /** The field of the answer that says yes or no, where the agent names one, or Standfast put it there. */
  decisionField?: string;
  /** Its values that say so, where its words alone do not tell. */
  decisionWords?: { yes: string; no: string };
  /** The field is Standfast's: the agent's form has none that can be read; `unread`: the one that it names. */
  ownDecision?: { unread: string[] };
  /** What its dialect sends for fields that an answer leaves out: it counts as given. */
  ifMissing?: JsonObject;
  /** A text in this field answers in the place of what was asked about: nothing is approved then. */
  insteadField?: string;
  /** Names of top-level fields of the answer that hold a secret: sealed, never shown or logged. */
  secrets: string[];
  /** Known within the turn that read the question alone: `judged` takes their place. */
  facts?: Facts;
  /** The policy that `facts` chose (null: the agent's own), and what they say, by which it is judged again. */
  judged?: { policy: string | null; rule?: MatchedRule; sent?: SentFacts | null };
  /** A person edited its call, and it was opened again with that: the answer brings these arguments to the agent. */
  isEdited?: true;
  /** What else the dialect needs to write the answer; only the dialect reads it, and it holds no secret. */
  reply: JsonObject;
  /** JSON pointers of texts that are the digits of numbers, which a double does not hold. */
  digits?: string[];
  /** What is too long to be carried here and lies whole next to the question; missing: nothing. */
  whole?: WholePart[];
}

/**
 * What rules are judged on where the question itself has not all that the agent sent, or has it otherwise. Of what is
 * missing here the question's own counts; null: it cannot be read.
 */
export interface Facts {
  kind?: null;
  dialects?: string[];
  title?: null;
  /** Arguments or values, of each call or form that the question may be about; read where there are rules. */
  data?: (() => JsonObject[] | null) | null;
}

/** The same as it is kept, without secrets; null in `data`: nothing can be read. */
export type SentFacts = Omit<Facts, 'data'> & { data?: JsonObject[] | null };

/** A call of one of the agent's tools, as people are asked about it. */
interface QuestionTool {
  /** The agent's own id of the call; AG-UI's toolCallId. */
  callId: string;
  name: string;
  args: JsonObject;
  /** The answer may bring `editedArgs`: the schema then has that field, and `defaults` what it replaces. */
  isEditable: boolean;
}

/** A person's answer as the dialect gets it. */
export interface Answer {
  status: 'resolved' | 'cancelled';
  values: JsonObject;
  reason: string | null;
  /** Who decided, for the text part: a principal id or `policy:<name>`. */
  by: string;
}
