// What users of a release have goes on under today's version: programs that call it, and its database. Its open executions
// are replayed in test/workflows/replay.test.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { brokenBy, keptIn, keptReleases, type Interface } from '../rigs/release/kept.ts';
import { root } from '../source-tree.ts';

const parsed = (text: Buffer): Interface => JSON.parse(text.toString('utf8')) as Interface;
const now = parsed(readFileSync(join(root, 'docs/openapi.json')));

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

// Promise W28
test('the release that this tree is has kept what later ones are tested with', () => {
  if (!version.startsWith('0.1.')) expect(keptReleases()).toContain(version);
});

describe.each([...keptReleases(), null])('release %s', (kept) => {
  // Promise W28
  test('a release is called as before by programs written for it', () => {
    expect(
      kept === null ? [] : brokenBy(parsed(gunzipSync(readFileSync(keptIn(kept, 'openapi.json.gz')))), now),
    ).toEqual([]);
  });

  // Promise W28
  test('a release has a database that the migrations of today go on with: its own are the first of them, as they were', () => {
    if (kept === null) return;
    const dir = keptIn(kept, 'drizzle');
    for (const name of readdirSync(dir).filter((file) => file.endsWith('.sql')))
      expect(readFileSync(join(root, 'drizzle', name), 'utf8')).toBe(readFileSync(join(dir, name), 'utf8'));
  });
});

// Promise W28
test('a path, an answer or a field that is gone, and a field that a request needs from now on, are noticed', () => {
  expect(brokenBy(now, now)).toEqual([]);
  const later = structuredClone(now);
  delete later.paths['/api/inbox/rows'];
  const hold = later.components?.schemas?.['Hold'];
  delete hold?.properties?.['digest'];
  const bulk = later.components?.schemas?.['BulkBody'];
  if (bulk !== undefined) bulk.required = [...(bulk.required ?? []), 'reason'];
  const broken = brokenBy(now, later);
  expect(broken).toContain('get /api/inbox/rows is gone');
  expect(broken).toContain('get /api/holds/{id} 200 has no digest any more');
  expect(broken).toContain('post /api/holds/decisions needs reason now');
});

// Promise W28
test('a parameter that is read no more or needed from now on, and a field of another type, are noticed', () => {
  const later = structuredClone(now);
  const list = later.paths['/api/holds']?.['get'];
  const metric = list?.parameters?.find(({ name }) => name === 'metric');
  if (metric !== undefined) metric.name = 'figure';
  list?.parameters?.push({ name: 'zone', in: 'query', required: true });
  const digest = later.components?.schemas?.['Hold']?.properties?.['digest'];
  if (digest !== undefined) digest.type = ['string', 'null'];
  const broken = brokenBy(now, later);
  expect(broken).toContain('get /api/holds reads no query metric any more');
  expect(broken).toContain('get /api/holds needs query zone now');
  expect(broken).toContain('get /api/holds/{id} 200 digest may be null now');
});
