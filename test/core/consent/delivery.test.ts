import { describe, expect, test } from '@jest/globals';
import type { A2aErrorInfo } from '../../../src/contract/tasks/agent-error.ts';
import { carriesAnswers, isAgentsWord, isClosedWay, untilNextTryMs } from '../../../src/core/consent/delivery.ts';
import { fc, runs } from '../../rigs/properties.ts';

const failed = (more: Partial<A2aErrorInfo>): A2aErrorInfo => ({
  kind: 'final',
  what: 'http',
  wasTaken: false,
  message: '',
  ...more,
});

describe('a request that did not get to the agent', () => {
  test.each<[string, A2aErrorInfo]>([
    ['whose card cannot be read', failed({ what: 'card' })],
    ['whose provider gives no token', failed({ what: 'token' })],
    ['whose address may not be called', failed({ what: 'policy' })],
    ['whose key is refused', failed({ status: 401 })],
    ['behind a gateway that forbids it', failed({ status: 403 })],
    ['where there is no server now', failed({ status: 404 })],
  ])('a request that did not get to an agent %s is no word of the agent’s', (_what, known) => {
    expect(isClosedWay(known)).toBe(true);
  });

  test.each<[string, A2aErrorInfo]>([
    ['refuses it by a code', failed({ what: 'refused' })],
    ['finds its body wrong', failed({ status: 400 })],
    ['may have taken it', failed({ what: 'policy', wasTaken: 'unknown' })],
    ['does not know the task', failed({ what: 'task-not-found' })],
  ])('a request whose agent %s met no closed way', (_what, known) => {
    expect(isClosedWay(known)).toBe(false);
  });
});

test('a turn carries what people gave where it answers, and fails by the agent’s word where the agent reported it', () => {
  expect((['answers', 'message', 'nothing'] as const).map((kind) => carriesAnswers({ kind, answers: [] }))).toEqual([
    true,
    false,
    false,
  ]);
  const codes = ['agent_failed', 'agent_rejected', 'agent_unreachable', 'internal'];
  expect(codes.filter(isAgentsWord)).toEqual(['agent_failed', 'agent_rejected']);
});

test('an agent that is away is tried again at growing intervals, never sooner or later than the bounds', () => {
  const bounds = { firstMs: 10_000, maxMs: 300_000 };
  const minute = 60_000;
  expect([0, minute, 10 * minute, 24 * 60 * minute].map((ms) => untilNextTryMs(ms, bounds))).toEqual([
    10_000, 10_000, 100_000, 300_000,
  ]);
  fc.assert(
    fc.property(fc.nat(10 ** 9), fc.nat(10 ** 9), (a, b) => {
      const [shorter, longer] = [Math.min(a, b), Math.max(a, b)].map((ms) => untilNextTryMs(ms, bounds));
      expect(shorter).toBeLessThanOrEqual(longer ?? 0);
      expect(shorter).toBeGreaterThanOrEqual(bounds.firstMs);
      expect(longer).toBeLessThanOrEqual(bounds.maxMs);
    }),
    { numRuns: runs(200) },
  );
});
