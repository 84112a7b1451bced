import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { ConfigSchema } from '../../src/contract/config.ts';

const examples = fileURLToPath(new URL('../../examples', import.meta.url));
const policies = readdirSync(`${examples}/policies`).filter((name) => name.endsWith('.yaml'));

describe('the example configurations', () => {
  test.each(['quickstart/holdpoint.yaml', ...policies.map((name) => `policies/${name}`)])('%s is valid', (name) => {
    const config = ConfigSchema.parse(parse(readFileSync(`${examples}/${name}`, 'utf8')));
    expect(Object.keys(config.agents)).toEqual(['expenses']);
    for (const agent of Object.values(config.agents)) expect(Object.keys(config.policies)).toContain(agent.policy);
  });
});
