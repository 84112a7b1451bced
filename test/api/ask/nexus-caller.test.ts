// Who asks over Nexus, and whether they may.
import { describe, expect, test } from '@jest/globals';
import { callerOf, namespaceIn, principalOf, rulesOf } from '../../../src/api/ask/nexus-caller.ts';

const type = 'temporal.api.common.v1.Link.WorkflowEvent';
const linkTo = (path: string): { type: string; url: URL } => ({ type, url: new URL(`temporal://${path}`) });

describe('the caller over Nexus', () => {
  test('the caller is the workflow that Temporal links to, whatever characters its id has', () => {
    const id = encodeURIComponent('order 7/ü');
    const caller = callerOf([linkTo(`/namespaces/shop/workflows/${id}/run-1/history`)]);
    expect(caller).toEqual({ namespace: 'shop', workflowId: 'order 7/ü' });
    const { id: name, kind, isSuper, roles } = principalOf(caller);
    expect({ name, kind, isSuper, roles }).toEqual({
      name: 'workflow:shop/order 7/ü',
      kind: 'agent',
      isSuper: false,
      roles: [],
    });
    expect(namespaceIn(name)).toBe('shop');
  });
  test('a call that no workflow makes is refused', () => {
    expect(() => callerOf([])).toThrow('no workflow is named');
    const other = { type: 'another', url: linkTo('/namespaces/shop/workflows/x/y/history').url };
    expect(() => callerOf([other])).toThrow('no workflow is named');
    expect(namespaceIn('anna')).toBeNull();
  });
});

describe('who may ask over Nexus', () => {
  const nexus = { 'payments-endpoint': { policy: 'finance' }, shop: { policies: ['travel'] } };
  const ask = { policy: 'other', policies: ['other'], nexus };
  // Promise NX3
  test('the entry of the endpoint comes before that of the namespace, and what it leaves out is as for any program', () => {
    expect(rulesOf({ ask }, {}, { endpoint: 'payments-endpoint', namespace: 'shop' })).toEqual({
      policy: 'finance',
      policies: ['other'],
    });
    expect(rulesOf({ ask }, {}, { endpoint: '', namespace: 'shop' })).toEqual({
      policy: 'other',
      policies: ['travel'],
    });
  });
  // Promise NX3
  test('what the configuration does not name may ask nothing, also not by the name of an object’s own member', () => {
    for (const namespace of ['stranger', 'constructor', '__proto__', ''])
      expect(() => rulesOf({ ask }, {}, { endpoint: '', namespace })).toThrow('names no namespace');
    expect(() => rulesOf({ ask: {} }, {}, { endpoint: 'standfast', namespace: 'default' })).toThrow('ask.nexus');
  });
  test('all who reach the own server of standfast up may ask, until the configuration says who', () => {
    const own = { standfast: {}, default: {} };
    expect(rulesOf({ ask: { policy: 'finance' } }, own, { endpoint: '', namespace: 'default' })).toEqual({
      policy: 'finance',
    });
    expect(() => rulesOf({ ask }, own, { endpoint: 'standfast', namespace: 'default' })).toThrow('ask.nexus');
  });
});
