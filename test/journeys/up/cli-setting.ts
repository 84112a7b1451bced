// The program at a terminal, as somebody with a key of a running Standfast, for the tests of a file.
import { expect } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { runProgram, type StandfastClient } from '../../rigs/product/standfast.ts';
import { ended, longMs, openHold } from '../setting.ts';
import { startProduct, type Product } from '../start-product.ts';

export const keys = {
  olga: 'key-of-olga-1234',
  finn: 'key-of-finn-1234',
  fay: 'key-of-fay-12345',
  ops: 'key-of-ops-12345',
};

export const form = { do: 'form', title: 'Pick a colour\u001b[31m', description: 'Which one?' };
export const script = (...turns: object[][]): string => JSON.stringify({ turns });
export const thanks = [{ do: 'complete', text: 'thanks' }];

export interface Terminal extends Product {
  as: (who: keyof typeof keys) => StandfastClient;
  /** The agent behind both names of the configuration. */
  fake: () => FakeAgent;
  /** With another configuration, if one is given to `startAgain`. */
  configText: () => string;
  /** The program as somebody with this key runs it; what it printed. */
  standfast: (who: keyof typeof keys, ...args: string[]) => Promise<{ code: number | null; output: string }>;
  outputOf: (who: keyof typeof keys, ...args: string[]) => Promise<string>;
  json: <T>(who: keyof typeof keys, ...args: string[]) => Promise<T>;
  ask: (threadId: string, agent?: string, text?: string) => Promise<HoldView>;
}

export function startTerminal(): Terminal {
  let fake: FakeAgent;
  let configText = '';
  const product = startProduct(async () => {
    fake = await startFakeAgent(product.supervisor);
    configText = `
agents:
  fake: { url: '${fake.url}', policy: finance }
  pair: { url: '${fake.url}', policy: pair }
policies:
  finance: { audience: ['role:finance'], ladder: [{ after: 30m, remind: true }], expire: { after: 2h, then: fail } }
  pair: { audience: ['role:finance'], quorum: 2 }
auth:
  keys:
    - { user: olga, key: '${keys.olga}' }
    - { user: finn, roles: [finance], key: '${keys.finn}' }
    - { user: fay, roles: [finance], key: '${keys.fay}' }
    - { user: ops, roles: [operator], key: '${keys.ops}' }
`;
    return configText;
  });
  const as = (who: keyof typeof keys): StandfastClient => product.up.as(keys[who]);
  const standfast: Terminal['standfast'] = async (who, ...args) => {
    const env = { STANDFAST_URL: product.up.url, STANDFAST_API_KEY: keys[who] };
    const { code, output } = await runProgram(product.supervisor, args, { env, boundMs: longMs });
    // Nothing of an agent's may reach the terminal as more than text.
    expect(output).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    return { code, output };
  };
  const outputOf: Terminal['outputOf'] = async (who, ...args) => {
    const { code, output } = await standfast(who, ...args);
    if (code !== 0) throw new Error(`standfast ${args.join(' ')}: exit ${code}\n${output}`);
    return output;
  };
  return {
    ...product,
    as,
    fake: () => fake,
    configText: () => configText,
    standfast,
    outputOf,
    json: async (who, ...args) => JSON.parse(await outputOf(who, ...args, '--json')),
    ask: async (threadId, agent = 'fake', text = script([form], thanks)) => {
      ended(await as('olga').run(agent, { threadId, text }, longMs), 'interrupt');
      return openHold(as('olga'), agent, threadId);
    },
  };
}
