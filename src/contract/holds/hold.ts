import type { HoldId, InterruptId } from '../base/id-types.ts';
import { z } from 'zod';
import { holdKinds } from '../base/kind-names.ts';
import { QuotationSchema } from '../base/quotation.ts';
import { ShownDataSchema, ShownFileSchema } from './attachment.ts';
import { answerNames, type endNames, holdEndReasons, holdStatuses, shownStatuses, verdicts } from './hold-names.ts';
import { decisionSources, type Decision, type Outgoing, type Vote } from './decision.ts';
import { LadderSchema, StepKindSchema } from './ladder.ts';
import type { Question } from './question.ts';
import { ShownWholeSchema } from './whole.ts';
import { MatchedRuleSchema, TimeoutActionSchema, type LadderPlan, type NextStep } from '../configuration/policy.ts';

export const HoldStatusSchema = z.enum(holdStatuses);
export type HoldStatus = z.infer<typeof HoldStatusSchema>;
export const ShownStatusSchema = z.enum(shownStatuses);

/** A hold in workflow state and in the database: one question, durably waited for. Plain JSON. */
export interface Hold {
  holdId: HoldId;
  interruptId: InterruptId;
  n: number;
  question: Question;
  /** `sha256:…` over what people are shown. */
  digest: string;
  status: HoldStatus;
  /** The dialect can carry a refusal: a cancelled hold is then an answer, else it cancels the task. */
  canRefuse: boolean;
  /** Who may decide now (after escalations). */
  audience: string[];
  plan: LadderPlan;
  /** Steps of the plan already taken. */
  stepsTaken: number;
  nextStep: NextStep | null;
  openedAt: string;
  expiresAt: string | null;
  decision: Decision | null;
  /** Canonical JSON digest of the answer as received: the same again gets the same answer. */
  answerFingerprint: string | null;
  /** Agreements so far, while `plan.quorum` is more than one; at the end, those that decided. */
  votes: Vote[];
  /** The questions of its pause: their numbers are `firstN` … `firstN + count - 1`. */
  pause: { firstN: number; count: number };
  /** Hold that this one asks again, after talk-back or a refused answer. */
  supersedes: string | null;
  supersededBy: string | null;
  /** The agent was asked something back and has not answered yet: decisions wait. */
  asking: boolean;
  /** Its last move to others, while the workflow waits: who made it may take it back as long as nothing has come of it. */
  passedOn?: Pick<HoldMove, 'by' | 'at' | 'from' | 'to'> | null;
  /** Set while a decision waits for its policy's grace; the hold is open until it is sent. */
  outgoing?: Outgoing | null;
  ended: HoldEnd | null;
}

/** An artifact that lay there when a question was asked; `digest` is over its name and content. */
export interface ShownArtifact {
  id: string;
  name: string;
  digest: string;
  /** Of one that is text and nothing else, as what an agent streams is; in UTF-16 units. */
  textLength?: number;
}

export type Verdict = (typeof verdicts)[number];
export type AnswerName = (typeof answerNames)[number];
export type EndName = (typeof endNames)[number];

/** Who or what ended a hold, and why: `by` is a principal, `policy:<name>` or `agent:<name>`. */
export interface HoldEnd {
  by: string;
  at: string;
  why: (typeof holdEndReasons)[number];
}

/** A question was handed to others: by whom, to whom, and with which words. */
export interface HoldMove {
  at: string;
  by: string;
  /** Who was asked before. Missing: moved by a version that did not record it. */
  from?: string[];
  to: string[];
  /** It is the one before it, taken back. */
  isBack?: true;
  note: string | null;
  /** Of the key or session that moved it. */
  credential: string | null;
}

/** How a hold closed: what its row and the agent need. */
export interface ClosedHold {
  holdId: HoldId;
  status: Exclude<HoldStatus, 'open'>;
  decision: Decision | null;
  answerFingerprint: string | null;
  votes: Vote[];
  supersededBy: string | null;
  ended: HoldEnd | null;
}

const EndSchema = z.object({ by: z.string(), at: z.string(), why: z.enum(holdEndReasons) });
/** `risk`: how risky it calls it · `reasoning`: why it asks. */
const StatedSchema = z.object({ risk: z.string().exactOptional(), reasoning: z.string().exactOptional() });

/** A decision that has not been sent, as the outside sees it. */
export const OutgoingSchema = z.object({
  at: z.string(),
  by: z.string(),
  /** Users in whose stead they decided; missing: in their own right. */
  inPlaceOf: z.array(z.string()).exactOptional(),
  decidedAt: z.string(),
  status: z.enum(['resolved', 'cancelled']),
  values: z.record(z.string(), z.unknown()),
  reason: z.string().nullable(),
  /** What people call it, before and after it is sent. */
  name: z.enum(answerNames),
  /** The caller gave it, and may take it back. */
  mayUndo: z.boolean(),
});

/** What a line of the list has of a hold as well. */
export const rowFields = {
  id: z.string(),
  interruptId: z.string(),
  taskId: z.string(),
  agent: z.string(),
  threadId: z.string(),
  kind: z.enum(holdKinds),
  title: z.string(),
  /** False: Standfast's title for questions of this sort, which tells none from another. */
  hasOwnTitle: z.boolean(),
  /** Where the agent gave no title: the first line of its message, to tell questions apart. */
  lead: z.string().nullable(),
  /** What tells it from others of its sort, in the agent's words alone: its title where that does, else with the values it is about. */
  headline: z.string(),
  /** What its requester wrote to begin its task; null where they wrote nothing. */
  quotation: QuotationSchema.nullable(),
  /** The most telling values it is about: of a tool call's arguments, or proposed by a form; after a yes those that it granted. */
  values: z.array(
    z.object({
      name: z.string(),
      value: z.union([z.string(), z.number(), z.boolean()]),
      /** How much, and in what (a code of three letters); absent of any other value. */
      role: z.enum(['amount', 'currency']).exactOptional(),
    }),
  ),
  /** After a yes: other values were granted than were proposed. */
  changed: z.boolean(),
  /** Where it has no such values: the first line of its message that neither title nor lead says. */
  about: z.string().nullable(),
  /** Fields of a form that must be filled in and are empty as it was asked. */
  requiredLeft: z.number(),
  /** What its answer says, sent or not; null: it has none. */
  verdict: z.enum(verdicts).nullable(),
  /** The label of the choice that the answer took, sent or not, where the field that decides offers more than a yes and a no. */
  chosen: z.string().exactOptional(),
  status: ShownStatusSchema,
  openedAt: z.string(),
  expiresAt: z.string().nullable(),
  /** When it expires, or, where its policy keeps it open, from when on it counts as overdue. */
  dueAt: z.string().nullable(),
  digest: z.string(),
  /** Its row cannot be read, or is not the question that was asked: it cannot be decided. */
  fault: z.enum(['unreadable', 'altered']).exactOptional(),
  mayDecide: z.boolean(),
  /** The caller may decide it now, has no vote in it yet, and no one else has claimed it. */
  forMe: z.boolean(),
  /** The caller wants to be reminded of it then, and it is out of their “For me” until that time. */
  snoozedUntil: z.string().nullable(),
  /** Name of its policy. */
  policy: z.string(),
  /** Who opened the thread. */
  requester: z.string(),
  claim: z.object({ by: z.string(), at: z.string() }).nullable(),
  /** Who sees it and may not decide it, and asked for others to be asked. */
  reassignAsks: z.array(z.object({ by: z.string(), at: z.string(), note: z.string().nullable() })),
  supersededBy: z.string().nullable(),
  ended: EndSchema.nullable(),
  danger: z.boolean(),
  tool: z.object({ callId: z.string(), name: z.string(), isEditable: z.boolean() }).nullable(),
  /** Grows with each change: an older event is dropped. */
  version: z.number(),
};

/** A hold as the outside sees it (docs/spec.md). */
export const HoldViewSchema = z
  .object({
    ...rowFields,
    /** The field that says yes or no, and the values that say so; null where the question has none, or more than those two. */
    decides: z
      .object({
        field: z.string(),
        yes: z.union([z.boolean(), z.string()]),
        no: z.union([z.boolean(), z.string()]),
      })
      .nullable(),
    /** The field by which an answer is a yes or a no, and the values that say so, whatever else it takes; null where none is. */
    deciding: z
      .object({
        field: z.string(),
        yes: z.union([z.boolean(), z.string()]).nullable(),
        no: z.union([z.boolean(), z.string()]).nullable(),
      })
      .nullable(),
    message: z.string(),
    schema: z.record(z.string(), z.unknown()),
    defaults: z.record(z.string(), z.unknown()),
    context: z.object({
      conversation: z.string(),
      /** As they were when it was asked; without a digest: as they are now, for a question whose row was lost and restored. */
      artifacts: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          url: z.string(),
          digest: z.string().nullable(),
          /** Of one that is text and nothing else, as what an agent streams is; in UTF-16 units. */
          textLength: z.number().exactOptional(),
        }),
      ),
      toolArgs: z.record(z.string(), z.unknown()),
      /** Data in the message that asked. */
      data: z.array(ShownDataSchema),
      /** Files of the message that asked, and among the artifacts; and data too large to be shown as such. */
      files: z.array(ShownFileSchema),
      /** Texts and values of the question that are too long to be carried with it: above are their beginnings and ends. */
      whole: z.array(ShownWholeSchema),
      /** JSON pointers (`/tool/args/account`, `/defaults/…`, `/form/…`) of texts that are the digits of numbers. */
      digits: z.array(z.string()),
      /** Over the form as the agent wrote it, and what its dialect sends back with the answer; part of `digest`. */
      dialectDigest: z.string(),
    }),
    supersedes: z.string().nullable(),
    asking: z.boolean(),
    votes: z.object({
      have: z.number(),
      need: z.number(),
      /** Staged agreements; their values are shown to those who may decide. */
      by: z.array(
        z.object({
          by: z.string(),
          at: z.string(),
          values: z.record(z.string(), z.unknown()).nullable(),
          /** Users in whose stead they agreed; missing: in their own right. */
          inPlaceOf: z.array(z.string()).exactOptional(),
          /** They are no user any more, or were none as it was decided; the vote counts. */
          isGone: z.literal(true).exactOptional(),
        }),
      ),
    }),
    audience: z.array(z.string()),
    /** Where several groups must agree: who of each has, and which are asked now; missing: its audience is the only group. */
    stages: z
      .object({
        order: z.enum(['sequential', 'parallel']),
        list: z.array(
          z.object({
            name: z.string(),
            audience: z.array(z.string()),
            by: z.array(z.string()),
            need: z.number(),
            state: z.enum(['agreed', 'asked', 'waiting']),
          }),
        ),
      })
      .exactOptional(),
    /** For who may decide it: which calls like it they may say need not be asked about any more. */
    grants: z
      .object({
        /** How many persons must give it, and who did with their answers. */
        by: z.number(),
        given: z.array(z.string()),
        /** As wide as the policy allows; where others have given it, exactly as they did. */
        ranges: z.array(z.string()),
        times: z.number(),
        sum: z.object({ of: z.string(), most: z.number() }).nullable(),
        until: z.string(),
        /** Of so many calls one is asked about all the same. */
        recheck: z.number(),
      })
      .exactOptional(),
    /**
     * No one who is asked can decide it, now or after its steps to come: which of them are no one, how many could agree in the end,
     * with the votes it has, and how many must.
     */
    noDecider: z.object({ gone: z.array(z.string()), could: z.number(), need: z.number() }).exactOptional(),
    /** For those who may decide, and operators: the rule that chose its policy; missing: the agent's own, or the one that was asked for. */
    rule: MatchedRuleSchema.exactOptional(),
    /** What the agent says of it beyond the question: in its own words, which nothing checked. */
    stated: StatedSchema.exactOptional(),
    /** `requester`: the person who opened the thread may not decide, whatever the audience says. */
    exclude: z.array(z.literal('requester')),
    nextStep: z.object({ at: z.string(), do: StepKindSchema, to: z.array(z.string()) }).nullable(),
    /** The caller may read and write comments among those who may decide. */
    mayDiscuss: z.boolean(),
    /** Who counts as requester in addition to them, where requesters may not decide: they spoke in the task. */
    alsoRequesters: z.array(z.string()),
    /** Whom it may be passed on to: those its policy names, anyone, or `no one`. */
    reassign: z.enum(['within', 'anyone', 'none']),
    /** Set where no one decides in the stead of who is asked. */
    deputies: z.literal('none').exactOptional(),
    /** The caller waits for it and may have its notice sent again, once an hour. */
    mayNudge: z.boolean(),
    /** Who had its notice sent again, oldest first. */
    nudges: z.array(z.object({ at: z.string(), by: z.string() })),
    /** Questions answered together: this is number `index` (from 1) of `count`. */
    pause: z.object({ index: z.number(), count: z.number(), holdIds: z.array(z.string()) }),
    ladder: LadderSchema,
    /** Agents asked to decide: until when, and why one did not (`why`, once it is done). */
    supervisors: z.array(
      z.object({
        agent: z.string(),
        at: z.string(),
        until: z.string(),
        doneAt: z.string().nullable(),
        why: z.string().nullable(),
      }),
    ),
    /** By whom it was handed to others, oldest first. */
    moves: z.array(
      z.object({
        at: z.string(),
        by: z.string(),
        /** Who was asked before. */
        from: z.array(z.string()).exactOptional(),
        to: z.array(z.string()),
        /** It is the one before it, taken back. */
        isBack: z.literal(true).exactOptional(),
        note: z.string().nullable(),
      }),
    ),
    /** The caller may move the deadline to a later time. */
    mayExtend: z.boolean(),
    /** By whom the deadline was moved, oldest first. */
    extensions: z.array(
      z.object({ at: z.string(), by: z.string(), from: z.string(), until: z.string(), note: z.string().nullable() }),
    ),
    /** What silence does in truth (a `default` without usable defaults fails), and when; `at` null: it waits for ever. */
    expires: z.object({
      at: z.string().nullable(),
      then: TimeoutActionSchema,
      clock: z.enum(['wall', 'business']),
    }),
    /** A refusal reaches the agent and it goes on (of several questions: where any other is answered), or ends its task. */
    onReject: z.enum(['answers', 'cancels']),
    /** Decided, and not at the agent yet: until `at` the decider may take it back, and the question is open still. */
    outgoing: OutgoingSchema.nullable(),
    /** JSON pointers of fields that hold a secret: never drafted, shown or logged. */
    secretPaths: z.array(z.string()),
    /** The caller's own unsent answer. */
    draft: z.object({ values: z.record(z.string(), z.unknown()), savedAt: z.string() }).nullable(),
    /** Over its policy, its deadline and who is asked: an answer of many names it, so that none is given under another. */
    planDigest: z.string(),
    /** An answer must name `digest`. */
    requireDigest: z.boolean(),
    /** `passkey`: an answer must be signed with a passkey of the caller's, on this question's page. */
    sign: z.literal('passkey').exactOptional(),
    /** How long a decision can be taken back before it is sent; null: it is sent at once. */
    graceMs: z.number().nullable(),
    /** The caller took one back already: their next answer is sent at once. */
    sendsAtOnce: z.literal(true).exactOptional(),
    /** Web addresses the agent named; shown with their host, never fetched. */
    links: z.array(z.object({ url: z.string(), title: z.string() })),
    /** The agent's words on a refused earlier answer, by field. */
    errors: z.record(z.string(), z.string()),
    dialect: z.string(),
    decision: z
      .object({
        by: z.string(),
        /** Users in whose stead they decided; missing: in their own right. */
        inPlaceOf: z.array(z.string()).exactOptional(),
        at: z.string(),
        status: z.enum(['resolved', 'cancelled']),
        values: z.record(z.string(), z.unknown()),
        reason: z.string().nullable(),
        source: z.enum(decisionSources),
        /** Of the question that was answered. */
        digest: z.string(),
        /** What the answer named as shown to its author. */
        seenDigest: z.string().nullable(),
        /** The key or session it was given with. */
        credential: z.string().nullable(),
        /** The back end that gave it in the name of `by`. */
        actor: z.string().nullable(),
        /** It was signed with this passkey of theirs. */
        passkey: z.string().exactOptional(),
        /** No one was asked: by whom such calls were granted, and the grant. */
        granted: z.object({ id: z.string(), by: z.array(z.string()) }).exactOptional(),
      })
      .nullable(),
  })
  .meta({ id: 'Hold' });
export type HoldView = z.infer<typeof HoldViewSchema>;

/** Comments that one question takes. */
export const maxComments = 200;

/** The comments on one question, oldest first, and whom a comment may name. */
export const CommentsSchema = z
  .object({
    items: z.array(
      z.object({ id: z.number(), at: z.string(), by: z.string(), text: z.string(), mentions: z.array(z.string()) }),
    ),
    people: z.array(z.string()),
  })
  .meta({ id: 'Comments' });
export type CommentsView = z.infer<typeof CommentsSchema>;
