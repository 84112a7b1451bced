import type { NeutralArtifact } from '../../contract/turn.ts';
import { isSafeKey, pointerOf, pointerSegments } from './state-patch.ts';

/** Parts of /view that are Holdpoint's own; no agent writes there. */
const reserved = new Set(['tasks', 'pendingInterrupts', 'engram']);
const maxSegments = 8;
const maxPointer = 1000;

/** Segments of a place where artifacts may stand: inside /view, outside what is Holdpoint's; null for any other. */
export function artifactPlace(pointer: string): string[] | null {
  const segments = pointer.length > maxPointer ? null : pointerSegments(pointer);
  if (segments === null || segments.length < 2 || segments.length > maxSegments) return null;
  if (segments.some((segment) => segment === '' || !isSafeKey(segment))) return null;
  const [root, area = ''] = segments;
  if (root !== 'view' || reserved.has(area)) return null;
  return area === 'artifacts' && segments.length === 2 ? null : segments;
}

/** Where an artifact stands in the shared state; null when its id must not be a key there. */
export function artifactPath(artifact: NeutralArtifact): string[] | null {
  const wish = artifact.metadata['path'];
  const path = typeof wish === 'string' ? wish.trim() : '';
  const wished = artifactPlace(path.startsWith('/') ? path : `/${path}`);
  return wished ?? artifactPlace(pointerOf(['view', 'artifacts', artifact.artifactId]));
}
