import { describe, expect, test } from '@jest/globals';
import { aboutOf } from '../../../src/core/consent/headline.ts';
import { valuesOf } from '../../../src/core/consent/telling-values.ts';
import { grantedOf, requiredLeft } from '../../../src/core/questions/granted.ts';
import type { Json, JsonObject } from '../../../src/contract/base/json.ts';
import { chosenOf } from '../../../src/core/consent/verdict.ts';
import { aQuestion } from '../../api/rig.ts';

const tool = (args: Record<string, string | number | boolean>) => ({
  callId: 'c-1',
  name: 'refund_payment',
  args,
  isEditable: false,
});
const refund = aQuestion({
  kind: 'tool_call',
  title: 'Approve refund_payment?',
  hasOwnTitle: false,
  tool: tool({ to: 'Miller Ltd', amount: 4210 }),
});

describe('what a yes granted', () => {
  // Promise CO5
  test('what a yes granted are the arguments as they were edited, without those that were left out, and that they were', () => {
    expect(grantedOf(refund, { approved: true, editedArgs: { amount: 3000 } })).toEqual({
      values: [{ name: 'amount', value: 3000, role: 'amount' }],
      changed: true,
    });
    expect(grantedOf(refund, { approved: true, editedArgs: { to: 'Miller Ltd' } })).toEqual({
      values: [{ name: 'to', value: 'Miller Ltd' }],
      changed: true,
    });
    expect(grantedOf(refund, { approved: true })).toEqual({ values: valuesOf(refund), changed: false });
    expect(grantedOf(refund, { editedArgs: { to: 'Miller Ltd', amount: 4210 } }).changed).toBe(false);
  });

  test('what a yes granted of a call that is sent a payload are its own arguments with that payload', () => {
    const asked = { ...refund, defaults: { editedArgs: { days: 3 } } };
    const values = [
      { name: 'to', value: 'Miller Ltd' },
      { name: 'amount', value: 4210, role: 'amount' },
    ];
    const granted = (editedArgs: JsonObject) => grantedOf(asked, { approved: true, editedArgs });
    expect(granted({ days: 2 })).toEqual({ values: [...values, { name: 'days', value: 2 }], changed: true });
    expect(granted({ days: 3 })).toEqual({ values: [...values, { name: 'days', value: 3 }], changed: false });
  });

  test('what a yes granted are the values of a form as it was filled in; only a proposal that was not kept counts as changed', () => {
    const form = aQuestion({ kind: 'form', defaults: { amount: 84.5, approve: false } });
    const answer = { amount: 80, approve: true, purpose: 'Lunch' };
    expect(grantedOf(form, answer, 'approve')).toMatchObject({ changed: true });
    expect(grantedOf(form, answer, 'approve').values).toContainEqual({ name: 'amount', value: 80, role: 'amount' });
    expect(grantedOf(form, { ...answer, amount: 84.5 }, 'approve').changed).toBe(false);
  });
});

describe('the values of a question', () => {
  // Promise S44
  test('the values of a question are plain ones, as they are proposed now, and never of a secret field', () => {
    const edited = aQuestion({
      kind: 'tool_call',
      tool: tool({ to: 'Miller Ltd', amount: 1 }),
      defaults: { editedArgs: { amount: 2 } },
    });
    expect(valuesOf(edited)).toEqual([
      { name: 'to', value: 'Miller Ltd' },
      { name: 'amount', value: 2, role: 'amount' },
    ]);
    const form = aQuestion({ defaults: { pin: '1234', list: [1], city: 'Bonn', note: ' ' }, secrets: ['pin'] });
    expect(valuesOf(form)).toEqual([{ name: 'city', value: 'Bonn' }]);
  });

  // Promise S44
  test('the values of a question are the most telling ones: how much and for whom before switches and ids of programs', () => {
    const args = {
      requestId: '3f2b8c1e-1111-4222-8333-abcdefabcdef',
      dryRun: false,
      retries: 3,
      invoice: { vendor: 'Nordlicht GmbH', total: 1200 },
      notify: ['dba@example.org', 'audit@example.org'],
      currency: 'EUR',
    };
    const call = { callId: 'c-1', name: 'pay', args, isEditable: false };
    expect(valuesOf(aQuestion({ kind: 'tool_call', tool: call }))).toEqual([
      { name: 'vendor', value: 'Nordlicht GmbH' },
      { name: 'total', value: 1200, role: 'amount' },
      { name: 'currency', value: 'EUR', role: 'currency' },
      { name: 'retries', value: 3 },
    ]);
  });

  test('the values of a question are replaced by the first line of the message that says something new, where there are none', () => {
    const yesNo = { kind: 'confirmation', title: 'Restart now?' } as const;
    expect(aboutOf(aQuestion({ ...yesNo, message: '**Restart now?**' }))).toBeNull();
    expect(aboutOf(aQuestion({ ...yesNo, message: 'Restart now?\n\n> It takes 40 seconds.' }))).toBe(
      'It takes 40 seconds.',
    );
    const text = { kind: 'text', title: 'The agent asks', hasOwnTitle: false } as const;
    expect(aboutOf(aQuestion({ ...text, message: 'Which train?\nBoth are direct.' }))).toBe('Both are direct.');
    expect(aboutOf(aQuestion({ ...text, message: 'Which train?' }))).toBeNull();
    expect(aboutOf(refund)).toBeNull();
  });

  test('the values of a question that a form still lacks are counted', () => {
    const schema = { type: 'object', properties: {}, required: ['city', 'day', 'ok'] };
    expect(requiredLeft(aQuestion({ schema, defaults: { city: 'Bonn', ok: false } }))).toBe(1);
    expect(requiredLeft(refund)).toBe(0);
  });

  test('the values of a question that a yes still asks for are counted, and the two buttons are none of them', () => {
    const properties = { amount: {}, centre: {}, reason: {}, approve: { type: 'boolean' } };
    const forYes = { if: { properties: { approve: { const: true } } }, then: { required: ['amount', 'centre'] } };
    const forNo = { if: { properties: { approve: { const: false } } }, then: { required: ['reason'] } };
    const schema = { type: 'object', properties, required: ['approve'], allOf: [forYes, forNo] };
    expect(requiredLeft(aQuestion({ schema, defaults: {} }))).toBe(2);
    expect(requiredLeft(aQuestion({ schema, defaults: { amount: 3, centre: 'sales' } }))).toBe(0);
  });
});

describe('a form that was filled in', () => {
  // Promise S45
  test('a form that was filled in says which of more than two choices it took, by the label of the choice', () => {
    const titled = [
      { const: 'approve', title: 'Approve it' },
      { const: 'escalate', title: 'Escalate to legal' },
      { const: 'reject', title: '' },
    ];
    const chosen = (property: JsonObject, decision: Json, change = {}): string | null =>
      chosenOf(aQuestion({ schema: { type: 'object', properties: { decision: property } }, ...change }), {
        status: 'resolved',
        values: { decision },
      });
    const of = ['approve', 'reject', 'escalate'].map((one) => chosen({ oneOf: titled }, one));
    expect(of).toEqual(['Approve it', 'reject', 'Escalate to legal']);
    expect(chosen({ enum: ['approve', 'changes', 'reject'] }, 'changes')).toBe('changes');
    // A pair of buttons says it already, and what the form does not offer was not chosen.
    expect(chosen({ enum: ['approve', 'reject'] }, 'approve')).toBeNull();
    expect(chosen({ oneOf: titled }, 'other')).toBeNull();
    expect(chosen({ type: 'string' }, 'escalate')).toBeNull();
    expect(chosen({ oneOf: titled }, 'escalate', { secrets: ['decision'] })).toBeNull();
    expect(chosen({ oneOf: titled }, 'escalate', { kind: 'text' })).toBeNull();
  });
});
