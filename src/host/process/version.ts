import { readFileSync } from 'node:fs';

// Sources, compiled files and the bundle all lie three folders below it.
const packageFile = new URL('../../../package.json', import.meta.url);

/** Version of this program: that of package.json, which nothing else repeats. */
export const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
