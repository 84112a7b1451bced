import { A2A_ERROR_CODE } from '@a2a-js/sdk/errors';
import { z } from 'zod';
import { parseJson } from '../../core/base/json.ts';

const ErrorBodySchema = z.looseObject({
  error: z.looseObject({
    message: z.string(),
    details: z.array(z.unknown()),
  }),
});
const ReasonSchema = z.looseObject({ reason: z.string() });
const codes = new Map<string, number>(Object.entries(A2A_ERROR_CODE));

/**
 * The same answer, whose error both of the SDK's HTTP+JSON clients can read. Python's server answers with the errors of 1.0
 * (google.rpc.Status) over its 0.3 routes too, where the client knows `{code, message}` alone: a task that is gone would
 * else look like an agent with invalid responses.
 */
export async function withPlainError(response: Response): Promise<Response> {
  if (response.status < 400) return response;
  const text = await response.text();
  const { status, headers } = response;
  return new Response(withCode(text) ?? text, { status, headers: [...headers] });
}

function withCode(text: string): string | null {
  const read = ErrorBodySchema.safeParse(parseJson(text));
  if (!read.success) return null;
  const { message, details } = read.data.error;
  const reasons = details.map((detail) => ReasonSchema.safeParse(detail).data?.reason ?? '');
  const code = reasons.map((reason) => codes.get(reason)).find((known) => known !== undefined);
  return code === undefined ? null : JSON.stringify({ ...read.data, code, message });
}
