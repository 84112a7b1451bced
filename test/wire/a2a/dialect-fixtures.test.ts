import { readdirSync, readFileSync } from 'node:fs';
import { Message } from '@a2a-js/sdk';
import { describe, expect, test } from '@jest/globals';
import { checkProfile } from '../../../src/core/form-profile.ts';
import { encodeAnswers, readPause } from '../../../src/wire/a2a/registry.ts';
import { aPause, resolved } from './factories.ts';

const folder = new URL('../fixtures/a2a.hitl.form/', import.meta.url);

describe('a2a.hitl.form, by recorded messages', () => {
  for (const file of readdirSync(folder)) {
    const fixture = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));

    test(`${file}: ${fixture.what} is read and answered`, () => {
      const { questions } = readPause(aPause({ wire: fixture.message }));
      expect(
        questions.map(({ formId, title, message, schema, defaults, errors }) => ({
          formId,
          title,
          message,
          schema,
          defaults,
          errors,
        })),
      ).toEqual(fixture.questions);
      for (const { schema } of questions) expect(checkProfile(schema)).toEqual({ ok: true });

      const encoded = encodeAnswers(
        questions.map((question, index) => ({ question, answer: resolved(fixture.answers[index]) })),
      );
      expect(encoded).toEqual({ result: 'ok', ...fixture.sent, metadata: {}, extensions: [] });
      // What we send is A2A: it survives the SDK's own codec.
      if (encoded.result !== 'ok') throw new Error('not encoded');
      const sent = Message.fromJSON({ messageId: 'x', parts: encoded.data.map((data) => ({ data })) });
      expect(sent.parts.map((part) => part.content?.value)).toEqual(fixture.sent.data);
    });
  }
});
