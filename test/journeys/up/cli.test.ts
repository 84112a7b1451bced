// The program at a terminal: what it loads, how it ends, and what it shows while it watches.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { program, runProgram, startProgram } from '../../rigs/product/standfast.ts';
import { longMs } from '../setting.ts';
import { keys, startTerminal } from './cli-setting.ts';

const { supervisor, up, startAgain, outputOf, ask } = startTerminal();

// Promise ST5
test('the built program loads its bundle, which needs no other module of the build', () => {
  const bundle = join(dirname(program), 'bundle');
  expect(readFileSync(program, 'utf8').split('\n').slice(1).join('')).toBe("import './bundle/main.js';");
  const files = readdirSync(bundle).filter((name) => name.endsWith('.js'));
  expect(files).toEqual(expect.arrayContaining(['main.js', 'schema-worker.js']));
  // What is loaded late stays a file of its own; 1,300 were read one by one before there was a bundle.
  expect(files.length).toBeLessThan(200);
  const leaving = files.filter((name) =>
    /^(?:import\b|export\b|\}).*["']\.\.\/[^"']+["'];$/m.test(readFileSync(join(bundle, name), 'utf8')),
  );
  expect(leaving).toEqual([]);
});

// Promise ST6
test('a command of operators reads neither the engine nor the database nor the configuration before it runs', () => {
  const bundle = join(dirname(program), 'bundle');
  const read = new Map<string, string>();
  for (const names = ['main.js']; names.length > 0;) {
    const name = names.pop() ?? '';
    if (read.has(name)) continue;
    const text = readFileSync(join(bundle, name), 'utf8');
    read.set(name, text);
    names.push(
      ...[...text.matchAll(/^(?:import|\}.* from|import .* from) ?"\.\/([^"]+)";$/gm)].map(([, to = '']) => to),
    );
  }
  const whole = [...read.values()].join('\n');
  expect(whole).toContain('// node_modules/commander/');
  for (const library of ['zod', 'yaml', 'undici', 'pg', '@temporalio'])
    expect([library, whole.includes(`// node_modules/${library}/`)]).toEqual([library, false]);
  expect(whole.length).toBeLessThan(400_000);
});

describe('output that is not read to its end', () => {
  // Promise TE11
  test('ends a command without an error', async () => {
    const hold = await ask('piped');
    const env = { ...process.env, STANDFAST_URL: up.url, STANDFAST_API_KEY: keys.finn };
    const pipe = `${process.execPath} ${program} show ${hold.id} | true; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', pipe], { env });
    expect([stdout, stderr]).toEqual(['0\n', '']);
  });
});

describe('watch', () => {
  // Promise Q36
  test('watch prints a line when a question opens and one when it ends, and goes on when the server was away', async () => {
    const env = { STANDFAST_URL: up.url, STANDFAST_API_KEY: keys.finn };
    const watching = startProgram(supervisor, 'standfast watch', ['watch'], env);
    const asJson = startProgram(supervisor, 'standfast watch --json', ['watch', '--json'], env);
    await watching.waitForLine(/^\d+ open, then live/, longMs);
    await asJson.waitForLine(/"event":"hello"/, longMs);
    const hold = await ask('watched');
    const shown = hold.id.slice(0, 8);
    const line = `^\\d\\d:\\d\\d:\\d\\d  ${shown}  fake: .*Pick a colour \\[31m.* · for olga · open, until .* UTC$`;
    await watching.waitForLine(new RegExp(line), longMs);
    const [event] = await asJson.waitForLine(new RegExp(`^\\{"event":"hold".*${hold.id}.*`), longMs);
    expect(JSON.parse(event)).toMatchObject({ event: 'hold', data: { row: { id: hold.id, status: 'open' } } });
    await outputOf('finn', 'decide', hold.id, '--values', '{"colour":"green"}');
    await watching.waitForLine(new RegExp(`${shown}.* · answered by finn$`), longMs);
    await up.stop();
    await watching.waitForLine(/^reconnecting/, longMs);
    await startAgain();
    const next = await ask('watched-again');
    await watching.waitForLine(new RegExp(`${next.id.slice(0, 8)}.* · open`), longMs);
    await Promise.all([watching.stop(), asJson.stop()]);
  });

  test('ends with a sentence where it is not let in, and where nothing answers', async () => {
    const wrongKey = await runProgram(supervisor, ['watch', '--url', up.url, '--api-key', 'nobody-has-this-key']);
    expect([wrongKey.code, wrongKey.output]).toEqual([4, expect.stringMatching(/^standfast: 401 not_authenticated: /)]);
    const nobody = `http://127.0.0.1:${await supervisor.freePort()}`;
    const away = await runProgram(supervisor, ['tasks', '--url', nobody]);
    expect([away.code, away.output]).toEqual([7, expect.stringContaining(`no Standfast answers at ${nobody}`)]);
    // It may be started later: watching goes on, and says what it waits for.
    const waiting = startProgram(supervisor, 'standfast watch', ['watch', '--url', nobody], {});
    await waiting.waitForLine(new RegExp(`^reconnecting … \\(no Standfast answers at ${nobody} `), longMs);
    await waiting.stop();
  });
});
