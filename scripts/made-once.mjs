// What tests need of other people's making, made once for each version of what is asked for, in a cache outside the tree.
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The contents of all files below a directory, as a key of what is made of them. */
export const filesOf = (dir) =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));

/**
 * The directory `<name>-<hash of the key>`, made by `make` where it is not there yet. It has another name until it is whole:
 * what was cut half-way is never found, and of two that are made at a time one is kept.
 */
export async function madeOnce({ name, key, what, say }, make) {
  const cache = join(homedir(), '.cache/standfast');
  const hash = createHash('sha256');
  for (const part of key) hash.update(part);
  const dir = join(cache, `${name}-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(dir)) return dir;
  const since = performance.now();
  say(`${what}: installing into ${dir} (once)`);
  mkdirSync(cache, { recursive: true });
  const draft = join(cache, `${name}-draft-${randomUUID()}`);
  try {
    await make(draft);
    if (!existsSync(dir)) renameSync(draft, dir);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  say(`${what}: ready in ${((performance.now() - since) / 1000).toFixed(1)} s`);
  return dir;
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, onLine?: (line: string) => void }} [given]
 * @returns {Promise<void>}
 */
export function runToEnd(command, args, { cwd, env, onLine = () => {} } = {}) {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  // Some name their faults there, some here.
  let last = '';
  child.stderr.on('data', (chunk) => (last = (last + chunk).slice(-2000)));
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('[ERROR]')) last = `${last}${line}\n`.slice(-2000);
    onLine(line);
  });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) =>
      code === 0 ? done() : fail(new Error(`${command} ${args.slice(0, 3).join(' ')} ended with ${code}:\n${last}`)),
    );
  });
}

/** Prints what the script of this address prepares, or why it could not, when it is run by hand; nothing where it is imported. */
export async function printIfMain(scriptUrl, prepare) {
  if (process.argv[1] !== fileURLToPath(scriptUrl)) return;
  try {
    console.log(await prepare({ say: console.error }));
  } catch (error) {
    console.error(String(error.message ?? error));
    process.exit(1);
  }
}

/** The same of several, each as a line that a shell evaluates; `prepared` has the variable of each. */
export async function exportIfMain(scriptUrl, prepared) {
  for (const [variable, prepare] of Object.entries(prepared))
    await printIfMain(scriptUrl, async (given) => `export ${variable}='${await prepare(given)}'`);
}
