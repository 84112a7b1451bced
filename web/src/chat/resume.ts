// An answer as AG-UI carries it: an entry of `resume`.
import type { DecisionBody } from '../../../src/contract/holds/decision.ts';

export interface ResumeEntry {
  interruptId: string;
  status: 'resolved' | 'cancelled';
  payload?: unknown;
  metadata?: { digest?: string; reason?: string };
}

export function resumeOf(interruptId: string, body: DecisionBody): ResumeEntry {
  const digest = body.digest === undefined ? {} : { digest: body.digest };
  if (body.status === 'resolved') return { interruptId, status: 'resolved', payload: body.values, metadata: digest };
  return {
    interruptId,
    status: 'cancelled',
    metadata: { ...digest, ...(body.reason === undefined ? {} : { reason: body.reason }) },
  };
}
