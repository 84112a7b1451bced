#!/usr/bin/env node
// Checks what `holdpoint export` wrote, without Holdpoint: node verify-evidence.mjs FILE [PUBLIC_KEY]
// Every record follows on the one before it by hash, signatures are of the chain before them (by PUBLIC_KEY if given), the
// row of every question is as its last record left it. Ends with 1 and names what is not so.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

const [file = '', publicKey] = process.argv.slice(2);
const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const faults = [];
const rows = new Map(); // hold → hash of its row, as its last record says
let signedUpTo = 0;
let seq, hash; // of the record before

function isSigned(head) {
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(head.key, 'hex')]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  const text = Buffer.from(`holdpoint evidence ${head.seq} ${head.hash}`);
  return verify(null, text, key, Buffer.from(head.signature, 'base64'));
}

function takeRecord(line) {
  const told = JSON.parse(line.record);
  const { at, hold, previous, row, record } = line;
  const content = sha256([line.seq, Date.parse(at), hold ?? '', previous ?? '', row ?? '', record].join('\n'));
  const own = sha256(`${hash}\n${content}`);
  if (line.seq !== seq + 1 || own !== line.hash)
    faults.push(`record ${line.seq} (${hold}) was altered, put in or moved`);
  if (hold !== null && told.hold !== hold) faults.push(`record ${line.seq} tells of ${told.hold}, not of ${hold}`);
  if (hold !== null) rows.set(hold, row);
  if (told.kind === 'signed') {
    const isOfChain = told.seq === seq && told.hash === hash && (publicKey ?? told.key) === told.key && isSigned(told);
    if (isOfChain) signedUpTo = told.seq;
    else faults.push(`record ${line.seq}: the signature is not of the chain before it`);
  }
  [seq, hash] = [line.seq, line.hash];
}

function takeHold({ hold, columns }) {
  const framed = Object.values(columns).map((text) => (text === null ? '-' : `${Buffer.byteLength(text)}:${text}`));
  if (rows.get(hold) !== sha256(framed.join(''))) faults.push(`the question ${hold} is not as its last record left it`);
}

for (const line of readFileSync(file, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((text) => JSON.parse(text))) {
  if (line.type === 'start') [seq, hash] = [line.seq, line.hash];
  else if (line.type === 'record') takeRecord(line);
  else if (line.type === 'hold') takeHold(line);
  else {
    if (line.seq !== seq + 1) faults.push(`records after ${seq} are missing`);
    [seq, hash] = [line.seq, sha256(`${hash}\n${line.content}`)];
  }
}
if (seq === undefined) faults.push('there is no record');
for (const fault of faults) console.log(`ALTERED ${fault}`);
console.log(`${rows.size} questions; signed up to record ${signedUpTo} of ${seq}`);
process.exitCode = faults.length > 0 ? 1 : 0;
