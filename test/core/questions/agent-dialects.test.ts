import { describe, expect, test } from '@jest/globals';
import { KeptCardSchema, type KeptCard } from '../../../src/contract/tasks/agent-card.ts';
import {
  adkIntegration,
  askedDialects,
  kagentHitl,
  knownExtensions,
} from '../../../src/core/questions/agent-dialects.ts';

const aCard = (change: object = {}): KeptCard => KeptCardSchema.parse({ name: 'desk', ...change });
/** As google-adk 2.13 writes them, the agent's own first. */
const skill = (name: string, tag: string, id = 'desk'): object => ({ id, name, tags: [tag] });
const offering = (...uris: string[]): KeptCard => aCard({ capabilities: { extensions: uris } });

describe('the extensions of an agent', () => {
  test('the extensions of an agent are activated when its card offers them and we know them', () => {
    expect(knownExtensions(offering('urn:other', adkIntegration, kagentHitl))).toEqual([kagentHitl, adkIntegration]);
    expect(knownExtensions(aCard())).toEqual([]);
  });

  // Promise D13
  test.each([
    ['a model', skill('model', 'llm')],
    ['a sequence', skill('workflow', 'sequential_workflow')],
    ['a graph', skill('workflow', 'graph_workflow')],
    ['an agent of its own kind', skill('custom', 'custom_agent')],
  ])('the extensions of an agent are those of ADK where its card builder wrote the card, of %s', (_what, first) => {
    const tool = { id: 'desk-pay', name: 'pay', tags: ['llm', 'tools'] };
    expect(knownExtensions(aCard({ skills: [first, tool] }))).toEqual([adkIntegration]);
  });

  // Promise D13
  test.each([
    ['a skill under another name', skill('model', 'llm', 'other')],
    ['a skill with another word', skill('chat', 'llm')],
    ['a tag that does not go with the word', skill('model', 'custom_agent')],
    ['further tags', { id: 'desk', name: 'model', tags: ['llm', 'tools'] }],
    ['no skill', undefined],
  ])('the extensions of an agent are not guessed from a card with %s', (_what, first) => {
    expect(knownExtensions(aCard({ skills: first === undefined ? [] : [first] }))).toEqual([]);
    expect(knownExtensions(aCard({ name: '', skills: [skill('model', 'llm', '')] }))).toEqual([]);
  });
});

test('the dialects of an agent are known by its card and the configuration, before it has asked', () => {
  expect(askedDialects(aCard({ skills: [skill('model', 'llm')] }), [])).toEqual(['adk']);
  expect(askedDialects(offering(kagentHitl), [adkIntegration])).toEqual(['adk', 'kagent.hitl']);
  expect(askedDialects(null, [])).toEqual([]);
});
