import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { readPause, canRefuse } from '../../../src/wire/a2a/dialects/registry.ts';
import { unconfirmedQuestion } from '../../../src/core/questions/delivery-unknown.ts';
import { decidesOf } from '../../../src/core/consent/verdict.ts';
import type { Question } from '../../../src/contract/holds/question.ts';
import {
  type Asked,
  authParts,
  carriesReason,
  confirmed,
  declined,
  isRefusalSent,
  mayApprove,
  rejected,
  resolved,
  textField,
  toolApproved,
  toolParts,
  yesField,
} from '../../../web/src/hold/answer/answers.ts';
import { choicesOf } from '../../../web/src/hold/values/choices.ts';
import { dictOf } from '../../../web/src/hold/values/dict.ts';
import { problemsOf } from '../../../web/src/hold/answer/check.ts';
import { aPause } from '../../wire/a2a/factories.ts';

const folder = new URL('../../wire/fixtures/', import.meta.url);

function asked(question: Question): Asked {
  return {
    kind: question.kind,
    schema: question.schema,
    defaults: question.defaults,
    digest: 'sha256:seen',
    onReject: canRefuse(question) ? 'answers' : 'cancels',
    context: {
      conversation: '',
      artifacts: [],
      toolArgs: question.tool?.args ?? {},
      data: [],
      files: [],
      whole: [],
      digits: [],
      dialectDigest: '',
    },
    tool: question.tool && {
      callId: question.tool.callId,
      name: question.tool.name,
      isEditable: question.tool.isEditable,
    },
    decides: decidesOf(question),
    secretPaths: question.secrets.map((name) => `/${name}`),
  };
}

const recorded: [string, Asked][] = readdirSync(folder).flatMap((dialect) =>
  readdirSync(new URL(`${dialect}/`, folder)).flatMap((file) => {
    const fixture = JSON.parse(readFileSync(new URL(`${dialect}/${file}`, folder), 'utf8'));
    const { questions } = readPause(aPause({ wire: fixture.message, state: fixture.state }));
    return questions.map((question, index): [string, Asked] => [`${dialect}/${file} ${index + 1}`, asked(question)]);
  }),
);
const ofKind = (kind: string): [string, Asked][] => recorded.filter(([, one]) => one.kind === kind);

function expectFits(one: Asked, body: ReturnType<typeof resolved> | null): void {
  if (body === null) throw new Error('the page has no answer');
  expect(body.digest).toBe('sha256:seen');
  if (body.status === 'resolved') expect(problemsOf(dictOf(one.schema), body.values)).toEqual([]);
  else expect(one.onReject === 'answers' || one.kind !== 'confirmation').toBe(true);
}

describe('an answer made by the page fits its question,', () => {
  test.each(ofKind('confirmation'))('an answer made by the page fits its question, yes and no: %s', (_name, one) => {
    expect(yesField(one)).not.toBeNull();
    expectFits(one, confirmed(one));
    expectFits(one, rejected(one, ''));
    expectFits(one, rejected(one, 'too much'));
  });

  // Promise C10
  test.each(ofKind('tool_call'))(
    'an answer made by the page fits its question, approved, edited, rejected with and without a reason: %s',
    (_name, one) => {
      const parts = toolParts(one);
      expect(parts).not.toBeNull();
      const extra = Object.fromEntries((parts?.required ?? []).map((field) => [field, 'as asked']));
      if (mayApprove(one)) expectFits(one, toolApproved(one, null, extra));
      expectFits(one, rejected(one, ''));
      expectFits(one, rejected(one, 'not now'));
      if (parts?.edit) {
        const edited = { ...parts.edit.proposed };
        expect(toolApproved(one, edited)).toEqual(toolApproved(one, null));
        for (const [key, value] of Object.entries(edited)) if (typeof value === 'number') edited[key] = value + 1;
        expectFits(one, toolApproved(one, edited));
      }
    },
  );

  test.each(ofKind('text'))('an answer made by the page fits its question, a reply: %s', (_name, one) =>
    expectFits(one, resolved(one, { [textField(one)]: 'blue' })),
  );

  test.each(ofKind('authorization'))(
    'an answer made by the page fits its question, each way it offers: %s',
    (_name, one) => {
      const parts = authParts(one);
      expect(parts.outcome !== null || parts.fields.length > 0).toBe(true);
      const fields = Object.fromEntries(
        parts.fields.map(({ name, schema }) => [
          name,
          schema['format'] === 'uri' ? 'https://back.example/?code=1' : 'x',
        ]),
      );
      for (const { value } of parts.outcome?.options ?? [{ value: undefined }]) {
        const chosen = parts.outcome === null ? {} : { [parts.outcome.field]: value };
        const note = value === 'note' && parts.note !== null ? { [parts.note]: 'ask Ana' } : {};
        expectFits(one, resolved(one, { ...fields, ...chosen, ...note }));
      }
    },
  );

  test('an operator’s choice', () => {
    const one = asked(unconfirmedQuestion('expenses', 'message 1'));
    const choices = choicesOf(dictOf(dictOf(one.schema)['properties'])['choice']);
    expect(choices.map(({ value }) => value)).toEqual(['send_again', 'give_up']);
    for (const { value } of choices) expectFits(one, resolved(one, { choice: value }));
  });
});

test('the proof above covered questions of every kind', () => {
  expect(new Set(recorded.map(([, { kind }]) => kind))).toEqual(
    new Set(['form', 'confirmation', 'tool_call', 'authorization', 'text']),
  );
});

describe('a no', () => {
  const editable = ofKind('tool_call').find(([name]) => name.startsWith('adk/confirmation-edited'))?.[1];
  const kagent = ofKind('tool_call').find(([name]) => name.startsWith('kagent'))?.[1];
  const yesNo = ofKind('confirmation')[0]?.[1];
  if (editable === undefined || kagent === undefined || yesNo === undefined) throw new Error('fixtures are missing');

  test('a no goes into the answer’s own field for a reason where there is one', () => {
    expect(rejected(kagent, ' too risky ')).toMatchObject({
      status: 'resolved',
      values: { approved: false, reason: 'too risky' },
    });
  });

  test('a no is a refusal with its reason where the answer has no place for it', () => {
    expect(rejected(editable, 'too long')).toMatchObject({ status: 'cancelled', reason: 'too long' });
    expect(carriesReason(editable)).toBe(true);
  });

  test('a no to a yes/no question is a plain no where a refusal would cancel the task', () => {
    const cancels = { ...yesNo, onReject: 'cancels' as const };
    expect(rejected(cancels, 'no')).toMatchObject({ status: 'resolved', values: { [yesField(yesNo) ?? '']: false } });
    expect(carriesReason(cancels)).toBe(false);
  });

  // Promise C10
  test('a no is a refusal where the answer cannot say it', () => {
    const recordedAs = (name: string): Asked => {
      const found = recorded.find(([one]) => one === name)?.[1];
      if (found === undefined) throw new Error(`${name} is missing`);
      return found;
    };
    const approveOnly = recordedAs('langchain/hitl-limits.json 1');
    expect(rejected(approveOnly, '')).toEqual({ status: 'cancelled', digest: 'sha256:seen' });
    expect(isRefusalSent(approveOnly)).toBe(false);

    const needsMore = recordedAs('a2a.hitl.form/bound-refused.json 1');
    expect(rejected(needsMore, 'too dear')).toMatchObject({ status: 'cancelled', reason: 'too dear' });
    expect(isRefusalSent(needsMore)).toBe(true);
    expect(toolParts(needsMore)?.required).toEqual(['cost centre']);

    expect(recorded.filter(([, one]) => yesField(one) !== null && !mayApprove(one)).map(([name]) => name)).toEqual([
      'langchain/hitl-limits.json 3',
    ]);
  });

  test('a no without words brings no reason', () => {
    expect(declined({ digest: 'd' }, '  ')).toEqual({ status: 'cancelled', digest: 'd' });
  });
});
