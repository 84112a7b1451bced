#!/usr/bin/env node
// Checks what `standfast export` wrote, without Standfast: node verify-evidence.mjs FILE [PUBLIC_KEY] [--passkeys LIST]
// Every record follows on the one before it by hash and names the record before it of the same question; the row of every
// question is as its last record left it. With PUBLIC_KEY every record must be covered by a signature of that key. An answer
// that a passkey signed is checked with that passkey's public key: nobody without the device could have made it. Signed votes
// must agree with the decision that they are behind. With LIST, as `standfast passkeys --json` printed it when people
// registered, that passkey must be listed as the person's.
// Exit codes: 0 proved, 1 altered or not proved, 2 used wrongly.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

const args = process.argv.slice(2);
const listAt = args.indexOf('--passkeys');
const listed = listAt === -1 ? null : readList(args.splice(listAt, 2)[1]);
const [file, trustedKey] = args;
if (file === undefined || args.length > 2 || (trustedKey !== undefined && !/^[0-9a-f]{64}$/.test(trustedKey)))
  endWith('usage: node verify-evidence.mjs FILE [PUBLIC_KEY of 64 hex digits] [--passkeys LIST]');
const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const faults = [];
const last = new Map(); // question → its last record: seq, hash of its row
const shown = []; // what the records prove, a line each
let first; // the record before the first
let seq, hash; // of the record before
let signedUpTo = null;
let count = 0;

function endWith(message) {
  console.error(message);
  process.exit(2);
}

/** Whose passkeys are trusted: a line for each person and public key. */
function readList(path) {
  try {
    const list = JSON.parse(readFileSync(path, 'utf8'));
    const lines = list.map(({ user, publicKey: key }) => JSON.stringify([user, key]));
    if (list.every(({ user, publicKey: key }) => [user, key].every((text) => typeof text === 'string')))
      return new Set(lines);
  } catch {
    // Reported with all other lists that are none.
  }
  return endWith('LIST is a file of JSON: [{"user": …, "publicKey": …}, …]');
}

function isSigned(head) {
  try {
    const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(head.key, 'hex')]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    const restored = head.restored === undefined ? '' : `\n${JSON.stringify(head.restored)}`;
    const text = Buffer.from(`standfast evidence ${head.seq} ${head.hash}${restored}`);
    return verify(null, text, key, Buffer.from(head.signature, 'base64'));
  } catch {
    return false;
  }
}

function follow(line, own) {
  if (line.seq !== seq + 1) faults.push(`records after ${seq} are missing or moved`);
  seq = line.seq;
  hash = own;
  count += 1;
}

function takeRecord(line) {
  const record = JSON.parse(line.record);
  const { at, hold, previous, row } = line;
  const content = sha256([line.seq, Date.parse(at), hold ?? '', previous ?? '', row ?? '', line.record].join('\n'));
  const own = sha256(`${hash}\n${content}`);
  if (own !== line.hash) faults.push(`record ${line.seq} (${hold}) was altered, put in or moved`);
  if (record.kind === 'signed') takeSignature(line, record);
  if (record.kind === 'altered') faults.push(`the question ${hold} was altered before record ${line.seq}`);
  if (hold !== null) {
    const before = last.get(hold)?.seq ?? null;
    const isEarlier = before === null && previous !== null && previous <= first;
    if (previous !== before && !isEarlier) faults.push(`a record of ${hold} before record ${line.seq} is left out`);
    if (record.hold !== hold) faults.push(`record ${line.seq} tells of ${record.hold}, not of ${hold}`);
    last.set(hold, { seq: line.seq, row });
    const { by, answerHash, digest } = { ...record.decision, digest: record.digest };
    const signedBy = checkSigned(line.seq, record);
    if (record.kind === 'decided')
      shown.push(`${hold}: decided by ${by}, answer ${answerHash}, question ${digest} (record ${line.seq})${signedBy}`);
  }
  follow(line, line.hash);
}

/** Checks the signatures of a record's answers; returns the passkeys in words. */
function checkSigned(at, record) {
  const { kind, sign, decision, votes = [] } = record;
  const answers = { decided: [decision, ...votes], vote: [record], staged: [record, ...votes] }[kind] ?? [];
  const keys = answers.flatMap(({ by, answerHash, passkey }) => {
    if (passkey === undefined) {
      if (sign !== undefined) faults.push(`record ${at}: the answer of ${by} is not signed by a passkey`);
      return [];
    }
    const why = whyUnsigned(passkey, { hold: record.hold, by, digest: record.digest, answer: answerHash });
    if (why !== null) faults.push(`record ${at}: the passkey of ${by} did not sign this answer: ${why}`);
    if (listed?.has(JSON.stringify([by, passkey.publicKey])) === false)
      faults.push(`record ${at}: the list has no such passkey of ${by}`);
    const { key, origin } = passkeyOf(passkey);
    return [`${by} with passkey ${key} at ${origin}`];
  });
  // Each signature covers what its answer agrees to.
  const [first, ...others] = kind === 'decided' || kind === 'staged' ? answers : [];
  for (const { by, passkey } of others)
    if (first.passkey !== undefined && passkey !== undefined && passkey.agrees !== first.passkey.agrees)
      faults.push(`record ${at}: the vote of ${by} is signed for another answer than what was decided`);
  return keys.length === 0 ? '' : `, signed by ${[...new Set(keys)].join(' and ')}`;
}

const bytes = (base64url) => Buffer.from(base64url, 'base64url');

/** The SHA-256 of a passkey's public key, and the page where it signed. */
function passkeyOf({ publicKey, clientData }) {
  let origin = '?';
  try {
    ({ origin } = JSON.parse(bytes(clientData)));
  } catch {
    // Reported as a fault.
  }
  return { key: sha256(Buffer.from(publicKey, 'base64')), origin };
}

/** Why this is not an assertion (WebAuthn) of exactly this answer; null: it is. */
function whyUnsigned(passkey, { hold, by, digest, answer }) {
  try {
    const { agrees, nonce, at, publicKey, authenticatorData, clientData, signature } = passkey;
    const text = JSON.stringify({ agrees, answer, at, by, digest, for: 'standfast decision', hold, nonce });
    const { type, challenge, origin } = JSON.parse(bytes(clientData));
    if (type !== 'webauthn.get') return 'it signed something else';
    if (challenge !== createHash('sha256').update(text).digest('base64url')) return 'it signed another answer';
    const data = bytes(authenticatorData);
    const host = createHash('sha256').update(new URL(origin).hostname).digest();
    if (!host.equals(data.subarray(0, 32))) return 'it signed for another address';
    if ((data[32] & 5) !== 5) return 'nobody was there and proved to be its person';
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    const signed = Buffer.concat([data, createHash('sha256').update(bytes(clientData)).digest()]);
    return verify('sha256', signed, key, bytes(signature)) ? null : 'the signature does not verify';
  } catch {
    return 'it cannot be read';
  }
}

function takeSignature(line, head) {
  const isOfChain = head.seq === seq && head.hash === hash && (trustedKey ?? head.key) === head.key && isSigned(head);
  if (isOfChain) signedUpTo = head;
  if (isOfChain && head.restored !== undefined) shown.push(restoreIn(line, head.restored));
  if (!isOfChain) faults.push(`record ${line.seq}: the signature is not of the chain before it, or by another key`);
}

const restoreIn = (line, { by, at, reason, givenUp }) =>
  `restored (record ${line.seq}): stated by ${by} at ${at}: ${reason}; ${givenUp.length} signed heads given up`;

function takeHold({ hold, columns }) {
  const framed = Object.entries(columns).map(
    ([name, text]) => `${name}=${text === null ? '-' : `${Buffer.byteLength(text)}:${text}`}`,
  );
  if (last.get(hold)?.row !== sha256(framed.join('')))
    faults.push(`the question ${hold} is not as its last record left it`);
}

const take = {
  record: takeRecord,
  hold: takeHold,
  link: (line) => follow(line, sha256(`${hash}\n${line.content}`)),
};
const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
for (const [index, text] of lines.entries()) {
  const line = JSON.parse(text);
  if (index === 0 && line.type === 'start') [first, seq, hash] = [line.seq, line.seq, line.hash];
  else if (index > 0 && Object.hasOwn(take, line.type)) take[line.type](line);
  else faults.push(`line ${index + 1} is of the type ${line.type}, which is not expected there`);
  if (seq === undefined) break;
}
if (last.size === 0) faults.push('there is no record of a question');
// The signature's own record is proved by the next one.
const unsigned = count === 0 ? 0 : seq - (signedUpTo === null ? first : signedUpTo.seq + 1);
if (trustedKey !== undefined && unsigned > 0) faults.push(`${unsigned} records are not signed`);
for (const line of shown) console.log(line);
for (const fault of faults) console.log(`ALTERED ${fault}`);
const by = signedUpTo === null ? 'not signed' : `signed up to record ${signedUpTo.seq} of ${seq} by ${signedUpTo.key}`;
const trust = trustedKey === undefined ? ' (give the PUBLIC_KEY that you trust: any key passes here)' : '';
console.log(`${last.size} questions, ${count} records; ${by}${trust}`);
process.exitCode = faults.length > 0 ? 1 : 0;
