import { describe, expect, test } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { formatProblems, loadConfig } from '../../src/config/config.ts';

const examples = fileURLToPath(new URL('../../examples', import.meta.url));
const policies = readdirSync(`${examples}/policies`).filter((name) => name.endsWith('.yaml'));
const env = { ANNA_KEY: 'anna-anna-anna-1', BEN_KEY: 'ben-ben-ben-ben-1' };

describe('the example configurations', () => {
  test.each(['quickstart/standfast.yaml', ...policies.map((name) => `policies/${name}`)])(
    'the example %s is valid, and says nothing that is hardly meant',
    (name) => {
      const loaded = loadConfig({ path: `${examples}/${name}`, env });
      if (!loaded.ok) throw new Error(formatProblems(loaded.problems));
      expect(formatProblems(loaded.warnings)).toBe('');
      const { config } = loaded;
      expect(Object.keys(config.agents)).toContain('expenses');
      expect(Object.keys(config.policies)).toContain(config.agents['expenses']?.policy);
    },
  );
});
