// A text of any length, piece by piece: the next piece is drawn as its reader comes to the end of the last.
import { type ReactNode, useState } from 'react';
import { visible } from '../../base/text/visible.ts';
import { firstPiece, pieceChars } from './pieces.ts';
import type { PartKind } from './reading.ts';
import { ReadBlock } from './read-block.tsx';

interface Props {
  text: string;
  kind: PartKind;
  className?: string;
}

export const isLongText = (text: string): boolean => text.length > pieceChars;

/** A block of its own. */
export function LongText({ text, kind, className = '' }: Props): ReactNode {
  const { pieces, isAll, more } = usePieces(text);
  return (
    <ReadBlock as="div" kind={kind} shows={String(pieces.length)} isCut={!isAll} unfold={more} isEndless>
      <Pieces pieces={pieces} className={className} />
    </ReadBlock>
  );
}

export function Pieces({ pieces, className = '' }: { pieces: readonly string[]; className?: string }): ReactNode {
  return pieces.map((piece, index) => (
    <div key={index} className={`asis ${className}`} dir="auto">
      {visible(piece)}
    </div>
  ));
}

/** The pieces that are drawn so far. */
export function usePieces(text: string): { pieces: string[]; isAll: boolean; more: () => void } {
  const [count, setCount] = useState(1);
  const pieces: string[] = [];
  let at = 0;
  while (at < text.length && pieces.length < count) {
    const piece = firstPiece(text, at);
    pieces.push(piece);
    at += piece.length;
  }
  return { pieces, isAll: at >= text.length, more: () => setCount((before) => Math.max(before, pieces.length + 1)) };
}
