import { z } from 'zod';

const base64url = (max: number): z.ZodString =>
  z
    .string()
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/, 'expected base64url');

/** What `navigator.credentials.get` gave, as JSON (WebAuthn Level 3). */
export const AssertionSchema = z
  .object({
    id: base64url(1_400),
    response: z.object({
      clientDataJSON: base64url(4_000),
      authenticatorData: base64url(4_000),
      signature: base64url(2_000),
    }),
  })
  .meta({ id: 'PasskeyAssertion' });
export type Assertion = z.infer<typeof AssertionSchema>;

/** What `navigator.credentials.create` gave, as JSON. */
export const RegistrationSchema = z
  .object({
    id: base64url(1_400),
    response: z.object({
      clientDataJSON: base64url(4_000),
      attestationObject: base64url(20_000),
      transports: z.array(z.string().max(40)).max(10).optional(),
    }),
  })
  .meta({ id: 'PasskeyRegistration' });
export type Registration = z.infer<typeof RegistrationSchema>;

/** What an authenticator signs for one answer; its SHA-256 is the challenge. */
export interface SignedAnswer {
  hold: string;
  by: string;
  /** Of the question as it was shown. */
  digest: string;
  /** `sha256:…` over status, values and reason of the answer. */
  answer: string;
  /** `sha256:…` over what of the answer counts when votes are compared: those that agree have the same. */
  agrees: string;
  /** Makes each challenge another one. */
  nonce: string;
  at: string;
}

/** That a person's authenticator signed an answer; anybody can check it with the public key, without Standfast. */
export interface PasskeyProof extends SignedAnswer {
  /** Id of the passkey. */
  id: string;
  /** DER (SubjectPublicKeyInfo), base64. */
  publicKey: string;
  /** Base64url, as the authenticator gave them. */
  authenticatorData: string;
  clientData: string;
  signature: string;
}
