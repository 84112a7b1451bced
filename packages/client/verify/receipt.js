// Verifies a receipt of Standfast: that people approved this very call, once. Needs Node.js 20 alone. docs/receipts.md
import { createHash, createPublicKey, verify } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const text = (bytes) => Buffer.from(bytes, 'base64url').toString();

function refuse(why) {
  throw new Error(`receipt refused: ${why}`);
}

/** Canonical JSON (RFC 8785); what JSON or a double does not hold is refused. */
export function canonical(value) {
  // Beyond it a double is read of several integers.
  if (typeof value === 'bigint' || (typeof value === 'number' && !(Math.abs(value) < 2 ** 53)))
    refuse('a double does not hold a number of the call; give it as text');
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return JSON.stringify(value);
  const isJson = Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(Object(value)));
  if (typeof value !== 'object' || !isJson) refuse('the call is not JSON');
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join(',')}}`;
}

export const hashOf = (value) => `sha256:${createHash('sha256').update(canonical(value)).digest('hex')}`;

function claimsOf(jws, jwks) {
  const parts = String(jws).split('.');
  if (parts.length !== 3 || parts.some((part) => !/^[\w-]+$/.test(part))) refuse('it is not a compact JWS');
  const header = JSON.parse(text(parts[0]));
  if (header.alg !== 'EdDSA' || header.typ !== 'standfast-receipt+jwt' || header.crit !== undefined)
    refuse('its header is not that of a receipt');
  const jwk = jwks.keys.find(({ kid }) => kid === header.kid);
  if (jwk?.kty !== 'OKP' || jwk.crv !== 'Ed25519') refuse('it was signed by a key that is not known');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: jwk.x }, format: 'jwk' });
  const isSigned = verify(null, Buffer.from(`${parts[0]}.${parts[1]}`), key, Buffer.from(parts[2], 'base64url'));
  return isSigned ? JSON.parse(text(parts[1])) : refuse('its signature is wrong');
}

/**
 * Returns the claims, or throws. `jwks`: what Standfast's /.well-known/jwks.json says. `agent`: `a2a:` and its name in
 * Standfast's configuration, or `program:` and the user of a program that asks. `tool` and `args`: the call to be executed; else `answer`: the form's.
 * `once(jti, exp)` must be true the first time alone, atomically: `onceIn`, or an insert or `SET NX EXAT` of yours.
 * Further: `issuer`, `task`, `role` that each approver must have had (`role:finance`), `quorum` at least, `policy`,
 * `stages` that each must have agreed, by name; `kind` of who decided, or several: `people`, `agent`, `grant`.
 */
export async function verifyReceipt(jws, expected) {
  const { jwks, agent, tool, args, answer, once, issuer, task, role, policy } = expected;
  const { quorum = 1, stages = [], kind = 'people' } = expected;
  if (typeof once !== 'function' || typeof agent !== 'string') refuse('`once` and `agent` are needed to judge it');
  const claims = claimsOf(jws, jwks);
  const nowS = (expected.now ?? Date.now()) / 1000;
  if (!(claims.iat <= nowS + 60)) refuse('it is of the future');
  if (!(claims.exp > nowS)) refuse('it has expired');
  if (claims.agent !== agent) refuse('it is for another agent');
  if (![kind].flat().includes(claims.kind)) refuse(`it was not given by ${kind}`);
  if (issuer !== undefined && claims.iss !== issuer) refuse('another Standfast issued it');
  if (task !== undefined && claims.task !== task) refuse('it is for another task');
  if (tool === undefined && (answer === undefined || claims.answerHash !== hashOf(answer)))
    refuse('it is for another answer');
  if (tool !== undefined && (claims.tool?.name !== tool || claims.tool.argsHash !== hashOf(args ?? {})))
    refuse('it is for another call');
  if (policy !== undefined && claims.policy.name !== policy) refuse('another policy gave it');
  if (!(claims.quorum >= quorum) || claims.by.length < claims.quorum) refuse('too few approved');
  const [groups, ids] = [claims.stages ?? [], claims.by.map(({ id }) => id)];
  const isAgreed = ({ by, quorum: need }) => new Set(by).size >= need && by.every((id) => ids.includes(id));
  if (!groups.every(isAgreed) || !stages.every((name) => groups.some((one) => one.name === name)))
    refuse('a stage did not agree');
  if (role !== undefined && !claims.by.every(({ as }) => as.includes(role))) refuse(`not everybody had ${role}`);
  if ((await once(claims.jti, claims.exp)) !== true) refuse('it was used');
  return claims;
}

/** A used-once check by files in a directory, for any number of processes; files of expired receipts may be removed. */
export function onceIn(directory) {
  mkdirSync(directory, { recursive: true });
  return (jti, exp) => {
    try {
      writeFileSync(join(directory, createHash('sha256').update(jti).digest('hex')), String(exp), { flag: 'wx' });
      return true;
    } catch (error) {
      if (error.code === 'EEXIST') return false;
      throw error;
    }
  };
}
