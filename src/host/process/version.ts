import { readFileSync } from 'node:fs';
import { z } from 'zod';

// Sources, compiled files and the bundle all lie three folders below it.
const packageFile = new URL('../../../package.json', import.meta.url);

/** Version of this program: that of package.json, which nothing else repeats. */
export const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(packageFile, 'utf8')));
