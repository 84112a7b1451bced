// What a gate lets pass: rules by tool, arguments and hints, and messages that can be read in one way only.
import { describe, expect, test } from '@jest/globals';
import { GateSchema, type Gate } from '../../../src/contract/configuration/gate.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { readGateMessage } from '../../../src/core/policy/gate-message.ts';
import { judgeCall, passesByHints } from '../../../src/core/policy/gate-rules.ts';
import { fc } from '../../rigs/properties.ts';

const gateOf = (rules: unknown[], policy?: string): Gate =>
  GateSchema.parse({ url: 'http://server.example/mcp', rules, ...(policy && { policy }) });
const plain = (name: string, annotations: JsonObject = {}): { name: string; annotations: JsonObject } => ({
  name,
  annotations,
});
const call = (params: unknown): JsonObject => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) as JsonObject;

describe('a call at a gate', () => {
  const gate = gateOf(
    [
      { tool: ['read_*', 'list'], then: 'pass' },
      { tool: 'pay', data: ['amount <= 10', 'to == "anna"'], then: 'pass' },
      { tool: 'pay', data: 'amount > 1000', then: { ask: 'board' } },
      { tool: 'drop_*', then: 'refuse' },
    ],
    'finance',
  );
  // Promise GA1
  test.each([
    ['read_note', {}, { do: 'pass' }],
    ['Read_note', {}, { do: 'ask', policy: 'finance', rule: null }],
    ['list', {}, { do: 'pass' }],
    ['list ', {}, { do: 'ask', policy: 'finance', rule: null }],
    ['pay', { amount: 10, to: 'anna' }, { do: 'pass' }],
    ['pay', { amount: 10, to: 'Anna' }, { do: 'ask', policy: 'finance', rule: null }],
    ['pay', { to: 'anna' }, { do: 'ask', policy: 'finance', rule: null }],
    ['pay', { amount: '10', to: 'anna' }, { do: 'ask', policy: 'board', rule: 3 }],
    ['pay', { amount: 1001 }, { do: 'ask', policy: 'board', rule: 3 }],
    ['drop_all', {}, { do: 'refuse', why: 'rule 4 of the gate refuses it' }],
    ['other', {}, { do: 'ask', policy: 'finance', rule: null }],
  ])('a call of %s with %j at a gate comes to %j', (name, args, verdict) => {
    expect(judgeCall(gate, plain(name), args as JsonObject)).toEqual(verdict);
  });

  // Promise GA1
  test('a call that no rule names is refused at a gate without a policy, and never passes', () => {
    fc.assert(
      fc.property(fc.string(), fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), (name, args, hint) => {
        fc.pre(!name.startsWith('read_'));
        const tool = plain(name, { readOnlyHint: hint, destructiveHint: !hint });
        expect(judgeCall(gateOf([{ tool: 'read_*', then: 'pass' }]), tool, args as JsonObject).do).toBe('refuse');
      }),
    );
  });

  // Promise GA2
  test('a hint alone is never enough to pass: a rule that passes by hints names its tools in full', () => {
    const passing = { hints: { readOnly: true }, then: 'pass' };
    expect(gateOf([passing, { ...passing, tool: 'read_*' }]).rules.map(passesByHints)).toEqual([true, true]);
    expect(gateOf([{ ...passing, tool: ['a', 'b'] }]).rules.map(passesByHints)).toEqual([false]);
  });

  // Promise GA2
  test('a hint that the server does not give counts as the more dangerous one', () => {
    const asks = gateOf([{ hints: { destructive: true }, then: { ask: 'p' } }]);
    expect(judgeCall(asks, plain('x'), {})).toMatchObject({ do: 'ask' });
    expect(judgeCall(asks, plain('x', { destructiveHint: false }), {})).toMatchObject({ do: 'refuse' });
  });
});

describe('a message at a gate', () => {
  // Promise GA3
  test.each([
    ['several at once', [call({ name: 'a' })]],
    ['no object', 'tools/call'],
    ['a call without an id', { jsonrpc: '2.0', method: 'tools/call', params: { name: 'a' } }],
    ['a call whose id is null', { ...call({ name: 'a' }), id: null }],
    ['a call whose id is an object', { ...call({ name: 'a' }), id: {} }],
    ['a call of no tool', call({})],
    ['a call of a tool that is no text', call({ name: ['a'] })],
    ['arguments that are a text', call({ name: 'a', arguments: '{}' })],
    ['params that are a list', { ...call(null), params: ['a'] }],
    ['another method by its capitals', { ...call({ name: 'a' }), method: 'Tools/Call' }],
    ['another method by a space', { ...call({ name: 'a' }), method: 'tools/call ' }],
    ['a method that is not known', { jsonrpc: '2.0', id: 1, method: 'tools/run' }],
    ['a request as a notification', { jsonrpc: '2.0', method: 'tools/list' }],
    ['a notification as a request', { jsonrpc: '2.0', id: 1, method: 'notifications/initialized' }],
    ['an answer and an error', { jsonrpc: '2.0', id: 1, result: {}, error: {} }],
    ['another revision of JSON-RPC', { id: 1, method: 'ping' }],
  ])('a message at a gate is refused that is %s', (_what, body) => {
    expect(readGateMessage(body)).toMatchObject({ kind: 'unfit' });
  });

  // Promise GA3
  test('a message that passes a gate has no member that the protocol does not know', () => {
    const body = { ...call({ name: 'a', arguments: { b: 1 } }), tool: 'b', result: {}, Method: 'x' };
    expect(readGateMessage(body)).toMatchObject({ kind: 'call', name: 'a', args: { b: 1 } });
    const read = readGateMessage({ jsonrpc: '2.0', id: 2, method: 'ping', tools: [] });
    expect(read.kind === 'other' && Object.keys(read.message)).toEqual(['jsonrpc', 'id', 'method']);
  });

  // Promise GA3
  test('a message at a gate is read without a throw, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        const read = readGateMessage(body);
        expect(['call', 'other', 'unfit']).toContain(read.kind);
      }),
    );
  });
});
