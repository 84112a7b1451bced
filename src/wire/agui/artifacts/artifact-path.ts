import { isSafeKey, pointerOf, pointerSegments } from '../model/state-patch.ts';

/** Where artifacts stand that wish for no other place. */
export const defaultArtifactBase = '/view/artifacts';

/** Parts of /view that are Holdpoint's own; no agent writes there. */
const reserved = new Set(['tasks', 'taskIds', 'pendingInterrupts', 'engram', 'files', 'artifactInfo', 'artifactTails']);
const maxSegments = 8;
const maxPointer = 1000;

function viewPath(pointer: string): string[] | null {
  const segments = pointer.length > maxPointer ? null : pointerSegments(pointer);
  if (segments === null || segments.length < 2 || segments.length > maxSegments) return null;
  if (segments.some((segment) => segment === '' || !isSafeKey(segment))) return null;
  const [root, area = ''] = segments;
  return root !== 'view' || reserved.has(area) ? null : segments;
}

/** Segments of a place where an artifact may stand: inside /view, outside what is Holdpoint's; null for any other. */
export function artifactPath(pointer: string): string[] | null {
  const segments = viewPath(pointer);
  return segments?.[1] === 'artifacts' && segments.length === 2 ? null : segments;
}

/** A pointer below which artifacts may stand, without a slash at its end; null when they may not. */
export function artifactBase(pointer: string): string | null {
  const bare = pointer.trim().replace(/\/+$/, '');
  const segments = viewPath(bare);
  return segments === null || segments.length === maxSegments ? null : bare;
}

/** The place that an artifact's metadata wishes for, if it is one. */
export function requestedPath(path: unknown): string[] | null {
  const request = typeof path === 'string' ? path.trim() : '';
  return artifactPath(request.startsWith('/') ? request : `/${request}`);
}

/** The place of an artifact below a base; null when its id must not be a key there. */
export function pathBelow(base: string, artifactId: string): string[] | null {
  return (
    artifactPath(`${base}${pointerOf([artifactId])}`) ?? artifactPath(pointerOf(['view', 'artifacts', artifactId]))
  );
}
