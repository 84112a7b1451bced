// What a hold's digest covers: all that people are shown before they decide, and all that goes back with their answer.
import type { HoldId } from '../../contract/base/id-types.ts';
import type { Attachment } from '../../contract/holds/attachment.ts';
import type { Question } from '../../contract/holds/question.ts';
import { coveredWhole, shownWhole, unreadWhole } from './whole.ts';
import type { ShownArtifact } from '../../contract/holds/hold.ts';

/** `sha256:…` over the canonical JSON of a value. */
type FingerprintOf = (value: unknown) => string;

/** A question as it is asked: its id, agent, requester and attachments. */
export interface AskedQuestion {
  holdId: HoldId;
  agent: string;
  /** Who opened the thread. */
  requester: string;
  question: Question;
  artifacts: readonly ShownArtifact[];
  attachments: readonly Attachment[];
}

/** Digest of one artifact: its name and content, not how it is fetched. */
export function artifactDigest(
  fingerprintOf: FingerprintOf,
  { name, content }: { name: string; content: unknown },
): string {
  return fingerprintOf({ name, content });
}

const isData = ({ data }: Attachment): boolean => data !== undefined;

const fileDigest = ({ name, mediaType, size, uri, digest, omitted }: Attachment): object => ({
  name,
  mediaType,
  size,
  uri,
  digest,
  omitted,
});

/**
 * Digest of all in a question that people do not read as such: the form as the agent wrote it, which front ends may draw
 * themselves, and what its dialect sends back with the answer.
 */
export function dialectDigest(fingerprintOf: FingerprintOf, question: Question): string {
  const { kind: _k, title: _t, message: _m, schema: _s, defaults: _d, links: _l, tool: _o, ...unread } = question;
  const { whole: _w, ...own } = unread;
  return fingerprintOf({ ...own, whole: coveredWhole(unreadWhole(question)) });
}

/** Digest of a question: which one it is, by whom, for whom, all that is shown, and all that goes back with the answer. */
export function holdDigest(fingerprintOf: FingerprintOf, asked: AskedQuestion): string {
  const { holdId, agent, requester, question, artifacts, attachments } = asked;
  const { kind, title, message, schema, defaults, links, tool } = question;
  return fingerprintOf({
    id: holdId,
    agent,
    requester,
    kind,
    title,
    message,
    schema,
    defaults,
    links,
    tool: tool && { callId: tool.callId, name: tool.name, isEditable: tool.isEditable },
    toolArgs: tool?.args ?? {},
    artifacts: artifacts.map(({ digest }) => digest),
    data: attachments.filter(isData).map(({ name, digest }) => ({ name, digest })),
    files: attachments.filter((one) => !isData(one)).map(fileDigest),
    whole: coveredWhole(shownWhole(question)),
    dialect: dialectDigest(fingerprintOf, question),
  });
}
