// npm run db:generate: writes the SQL that brings a database to src/store/schema.ts. Until 0.2.0 is released no
// installation has to be upgraded, and drizzle/ is one file, written again; from then on files are only added.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const [major, minor] = version.split('.').map(Number);
const isReleased = major > 0 || minor >= 2;
const [name] = process.argv.slice(2);
if (isReleased && name === undefined) {
  console.error('say what changes: npm run db:generate -- NAME (such as add-receipts)');
  process.exit(2);
}
if (!isReleased) rmSync(new URL('../drizzle', import.meta.url), { recursive: true, force: true });
const script = new URL('../node_modules/drizzle-kit/bin.cjs', import.meta.url).pathname;
execFileSync(process.execPath, [script, 'generate', '--name', isReleased ? name : 'tables'], { stdio: 'inherit' });
