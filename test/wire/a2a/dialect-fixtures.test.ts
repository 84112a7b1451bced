import { readdirSync, readFileSync } from 'node:fs';
import { Message } from '@a2a-js/sdk';
import { describe, expect, test } from '@jest/globals';
import { checkProfile } from '../../../src/core/questions/form-profile.ts';
import { canRefuse, encodeAnswers, readPause } from '../../../src/wire/a2a/dialects/registry.ts';
import { aPause, refused, resolved } from './factories.ts';

const folder = new URL('../fixtures/', import.meta.url);

/** A message as it comes over the wire, what is asked of people, what they answer, and what is sent. */
interface Fixture {
  what: string;
  state: 'input-required' | 'auth-required';
  message: unknown;
  explanation?: string;
  /** Of each question the keys that the fixture is about. */
  questions: Record<string, unknown>[];
  answers: ({ values: Parameters<typeof resolved>[0] } | { cancelled: string | null })[];
  sent: { result?: string; text?: string | null; parts?: unknown[] };
}

const fixturesOf = (dialect: string): [string, Fixture][] =>
  readdirSync(new URL(`${dialect}/`, folder)).map((file) => [
    file,
    JSON.parse(readFileSync(new URL(`${dialect}/${file}`, folder), 'utf8')),
  ]);

describe.each(readdirSync(folder))('the dialect %s, by recorded messages', (dialect) => {
  // Promise B20, D5, D18, D20, CO3
  test.each(fixturesOf(dialect))('the recorded message %s is read and answered', (_file, fixture) => {
    const { questions, explanation } = readPause(aPause({ wire: fixture.message, state: fixture.state }));
    const picked = questions.map((question, index) => {
      const wanted = Object.keys(fixture.questions[index] ?? {});
      return Object.fromEntries(Object.entries(question).filter(([key]) => wanted.includes(key)));
    });
    expect(picked).toEqual(fixture.questions);
    if (fixture.explanation !== undefined) expect(explanation).toBe(fixture.explanation);
    for (const { schema } of questions) expect(checkProfile(schema)).toEqual({ ok: true });
    for (const { kind, tool } of questions) expect(tool !== null).toBe(kind === 'tool_call');

    const answered = questions.map((question, index) => {
      const given = fixture.answers[index];
      if (given === undefined) throw new Error('the fixture has too few answers');
      if ('cancelled' in given) expect(canRefuse(question)).toBe(true);
      return { question, answer: 'values' in given ? resolved(given.values) : refused(given.cancelled) };
    });
    const encoded = encodeAnswers(answered);
    expect(encoded).toEqual({ result: 'ok', ...fixture.sent });
    if (encoded.result !== 'ok') return;
    // What we send is A2A: it survives the SDK's own codec.
    const data = encoded.parts.map((part) => (part.kind === 'data' ? part.data : null));
    const sent = Message.fromJSON({
      messageId: 'x',
      parts: encoded.parts.map(({ metadata }, index) => ({ data: data[index], metadata })),
      metadata: encoded.metadata,
      extensions: encoded.extensions,
    });
    expect(sent.parts.map((part) => part.content?.value)).toEqual(data);
    expect(sent.metadata ?? {}).toEqual(encoded.metadata);
  });
});
