// Repeats the checks in the modules of dist as they are loaded; fails where one is not found any more.
/** How often each check is made in place of once. */
export const times = 11;

/** By the end of a module's path: text of it, and its replacement. */
export const repeated = {
  // The MAC of each payload.
  'dist/host/temporal/payload-codec.js': [
    [
      "macs.isPayloadMac(mac, owner, text(rest['encoding']), bytesIn(data))",
      `Array.from({ length: ${times} }, () => macs.isPayloadMac(mac, owner, text(rest['encoding']), bytesIn(data)))[0]`,
    ],
    [
      "macs.payloadMacOf(owner, text(metadata?.['encoding']), bytesIn(data))",
      `Array.from({ length: ${times} }, () => macs.payloadMacOf(owner, text(metadata?.['encoding']), bytesIn(data)))[0]`,
    ],
  ],
  // The digest of each question that is read.
  'dist/store/tables/holds/readable-hold.js': [
    ['if (isAsAsked(row))', `if (Array.from({ length: ${times} }, () => isAsAsked(row)).every(Boolean))`],
  ],
  // The comparison of a row with its last record.
  'dist/store/evidence/append.js': [
    [
      'return [...(await alteredBefore(entries, recordedOf)), ...entries];',
      `const all = await Promise.all(Array.from({ length: ${times} }, () => alteredBefore(entries, recordedOf)));
      return [...all[0], ...entries];`,
    ],
  ],
  'dist/store/tables/holds/recorded-writes.js': [
    [
      "rowHash.as('row_hash')",
      `sql\`greatest(\${sql.join(Array.from({ length: ${times} }, () => rowHash), sql\`, \`)})\`.as('row_hash')`,
    ],
  ],
};

export async function load(url, context, next) {
  const loaded = await next(url, context);
  const [, changes] = Object.entries(repeated).find(([path]) => url.endsWith(`/${path}`)) ?? [];
  if (changes === undefined) return loaded;
  let source = String(loaded.source);
  for (const [there, instead] of changes) {
    if (!source.includes(there)) throw new Error(`${url} has no ${there}`);
    source = source.replace(there, () => instead);
  }
  return { ...loaded, source };
}
