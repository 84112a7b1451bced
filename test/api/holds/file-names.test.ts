// With marks of direction a name reads as another one: `gnp.exe` after U+202E is shown as `exe.png`.
import { describe, expect, test } from '@jest/globals';
import { dispositionOf } from '../../../src/api/holds/hold-artifacts.ts';
import { decodeName } from '../../../src/wire/a2a/codec/parts.ts';
import { fileOfContent } from '../../../src/wire/agui/model/media.ts';

const marks = Array.from('\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069', (mark) => [
  `U+${(mark.codePointAt(0) ?? 0).toString(16)}`,
  `invoice${mark}gnp.exe`,
]);

describe('the name of a file', () => {
  test.each(marks)(
    'the name of a file has no mark of direction, from an agent, from a person and in a download: %s',
    (_, name) => {
      const source = { type: 'data', value: 'AA==', mimeType: 'image/png' };
      expect(decodeName(name)).toBe('invoicegnp.exe');
      expect(fileOfContent({ type: 'image', source, metadata: { filename: name } })?.name).toBe('invoicegnp.exe');
      expect(dispositionOf(name ?? '')).toMatch(/filename\*=UTF-8''invoicegnp\.exe$/);
    },
  );

  test('the name of a file keeps letters that are written from right to left', () => {
    expect(decodeName('חשבונית.pdf')).toBe('חשבונית.pdf');
  });
});
