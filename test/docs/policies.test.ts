import { describe, expect, test } from '@jest/globals';
import { ConfigSchema } from '../../src/contract/configuration/config.ts';
import { PolicySchema, RuleSchema, StepSchema, TimeoutActionSchema } from '../../src/contract/configuration/policy.ts';
import { readComparison } from '../../src/core/policy/comparison.ts';
import { formatProblems, loadConfig } from '../../src/config/config.ts';
import { read } from '../source-tree.ts';

const text = read('docs/policies.md');
const blocks = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml = '']) => yaml);
const configOf = (yaml: string): ReturnType<typeof loadConfig> => loadConfig({ text: yaml, env: {} });

describe('docs/policies.md', () => {
  test.each(blocks.map((yaml) => [yaml.split('\n').slice(0, 4).join(' ').replaceAll(/\s+/g, ' '), yaml]))(
    'docs/policies.md shows a configuration that is valid: %s',
    (_, yaml) => {
      const loaded = configOf(yaml);
      expect(loaded.ok ? '' : formatProblems(loaded.problems)).toBe('');
    },
  );

  test('docs/policies.md has an example of every key of a policy, a step and a rule, and says what every timeout does', () => {
    const shown = blocks.join('\n');
    const steps = Object.keys(StepSchema.shape);
    const keys = [...Object.keys(PolicySchema.shape), ...steps, ...Object.keys(RuleSchema.shape.when.shape)];
    const elsewhere = ['notify'];
    expect(keys.filter((key) => !elsewhere.includes(key) && !new RegExp(`\\b${key}:`).test(shown))).toEqual([]);
    expect(Object.keys(PolicySchema.shape).filter((key) => !text.includes(`\n- \`${key}\``))).toEqual([]);
    expect(TimeoutActionSchema.options.filter((then) => !text.includes(`\n- \`${then}\``))).toEqual([]);
  });

  test('docs/policies.md says of a policy without any key what holds then', () => {
    expect(PolicySchema.parse({})).toMatchObject({ audience: [], quorum: 1, expire: { after: '24h', then: 'fail' } });
    expect(ConfigSchema.parse({}).policies).toEqual({});
  });

  test('docs/policies.md names operators that are one', () => {
    const operators = ['==', '!=', '>', '>=', '<', '<=', 'contains', 'startsWith', 'exists'];
    for (const operator of operators) {
      expect(text).toContain(`\`${operator}\``);
      expect(readComparison(`a ${operator}${operator === 'exists' ? '' : ' x'}`).ok).toBe(true);
    }
  });
});
