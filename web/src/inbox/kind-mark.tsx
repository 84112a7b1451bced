import type { ReactNode } from 'react';
import type { HoldRowView } from '../../../src/contract/views/inbox.ts';
import { agentHue, agentTitle } from '../base/account/names.ts';
import { endGlyph } from '../hold/row/row-words.ts';
import { strings } from '../i18n/strings.ts';
import { Icon } from '../ui/icons.tsx';

const kindIcons = {
  form: 'form',
  confirmation: 'check',
  tool_call: 'wrench',
  authorization: 'key',
  text: 'speech',
  operator: 'gear',
} as const;

/** What is asked for, with a dot in the colour of who asks; of one that has ended, how. */
export function KindMark({ row, isOpen = true }: { row: HoldRowView; isOpen?: boolean }): ReactNode {
  const glyph = isOpen ? null : endGlyph(row);
  return (
    <span
      className={`row-kind hue-${agentHue(row.agent)} ${glyph === null ? '' : `end-glyph ${glyph.tone}`}`}
      title={`${agentTitle(row.agent)}, ${strings.kinds[row.kind]}`}
      aria-hidden="true"
    >
      <Icon name={glyph?.icon ?? kindIcons[row.kind]} />
    </span>
  );
}
