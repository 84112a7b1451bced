import { and, asc, eq, getTableColumns, notInArray, sql } from 'drizzle-orm';
import type { Attachment } from '../../../contract/holds/attachment.ts';
import { canBeStored, type Db } from '../../database/database.ts';
import type { Attachments } from '../../ports/attachments.ts';
import { attachments } from '../../schema.ts';
import { readColumn, readColumns, sealedFor, sealedRow } from '../../sealed-rows.ts';

const { id, source, name, mediaType, size, uri, digest, omitted, data } = getTableColumns(attachments);
const shown = readColumns({ id, source, name, mediaType, size, uri, digest, omitted, data });

/** Contents have ids of their own, which name no attachment. */
const contentId = (of: string): string => `content:${of}`;

export function createAttachments(db: Db): Attachments {
  const bytesOf: Attachments['bytes'] = async (taskId, one) => {
    if (!canBeStored(one)) return null;
    const [row] = await db
      .select({ bytes: readColumn(attachments.bytes) })
      .from(attachments)
      .where(and(eq(attachments.taskId, taskId), eq(attachments.id, one)));
    return row?.bytes ?? null;
  };
  return {
    async put(taskId, sourceKey, parts, isWhole) {
      const ids = parts.map((part) => part.id);
      if (isWhole) {
        await db
          .update(attachments)
          .set({ isCurrent: false })
          .where(
            and(eq(attachments.taskId, taskId), eq(attachments.sourceKey, sourceKey), notInArray(attachments.id, ids)),
          );
      }
      if (parts.length === 0) return;
      await db
        .insert(attachments)
        .values(
          parts.map(({ data: own, ...part }) =>
            sealedRow(attachments, { ...part, taskId, sourceKey, data: own === undefined ? null : { data: own } }),
          ),
        )
        .onConflictDoUpdate({ target: [attachments.taskId, attachments.id], set: { isCurrent: true } });
    },
    async settle(taskId, part) {
      await db
        .update(attachments)
        .set({
          mediaType: part.mediaType,
          size: part.size,
          digest: part.digest,
          omitted: part.omitted,
          ...sealedFor(attachments, { taskId, id: part.id }, { bytes: part.bytes }),
        })
        .where(and(eq(attachments.taskId, taskId), eq(attachments.id, part.id)));
    },
    async current(taskId, messageKey) {
      const rows = await db
        .select({ ...shown, source: sql<Attachment['source']>`${attachments.source}` })
        .from(attachments)
        .where(
          and(
            eq(attachments.taskId, taskId),
            eq(attachments.isCurrent, true),
            sql`(${attachments.source} = 'artifact' or ${attachments.sourceKey} = ${messageKey})`,
          ),
        )
        .orderBy(asc(attachments.seq));
      return rows.map(({ data: kept, ...row }) => (kept === null ? row : { ...row, data: kept.data }));
    },
    bytes: bytesOf,
    async putContents(taskId, contents) {
      const rows = contents.map((one) => ({
        taskId,
        id: contentId(one.digest),
        source: 'content' as const,
        sourceKey: '',
        name: '',
        mediaType: one.mediaType,
        size: one.bytes,
        uri: null,
        digest: one.digest,
        omitted: null,
        data: null,
        bytes: Buffer.from(one.text),
      }));
      await db
        .insert(attachments)
        .values(rows.map((row) => sealedRow(attachments, row)))
        .onConflictDoNothing();
    },
    async content(taskId, one) {
      const kept = await bytesOf(taskId, contentId(one));
      return kept === null ? null : new TextDecoder().decode(kept);
    },
    async sizeOf(taskId) {
      const [row] = await db
        .select({ size: sql<string>`coalesce(sum(length(${attachments.bytes})), 0)` })
        .from(attachments)
        .where(eq(attachments.taskId, taskId));
      return Number(row?.size ?? 0);
    },
  };
}
