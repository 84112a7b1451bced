// The environment of all test files of a jest worker is the worker itself: modules are loaded once for all of them, not once a
// file as in jest's own environment, which took two thirds of the time. What a file changed in the process is put back.
import { appendFileSync } from 'node:fs';
import { chdir, cwd, env } from 'node:process';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { cpuSeconds } from './cpu-time.js';

const realConsole = globalThis.console;
const realExit = process.exit;
const moduleMocker = new ModuleMocker(globalThis);

export default class ProcessEnvironment {
  global = globalThis;
  moduleMocker = moduleMocker;
  #before = { env: { ...env }, cwd: cwd(), listeners: listenersOfProcess(), cpu: cpuSeconds() };
  #path;

  constructor({ projectConfig }, { testPath }) {
    this.#path = testPath;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {
    // Jest has just put its own in place, which knows nothing of the source maps that Node reads.
    Error.prepareStackTrace = undefined;
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    moduleMocker.restoreAllMocks();
    globalThis.console = realConsole;
    process.exit = realExit;
    if (cwd() !== this.#before.cwd) chdir(this.#before.cwd);
    // Some put another object in its place.
    process.env = env;
    for (const name of Object.keys(env)) if (!(name in this.#before.env)) delete env[name];
    Object.assign(env, this.#before.env);
    for (const [event, known] of this.#before.listeners) {
      for (const listener of process.rawListeners(event)) {
        if (!known.includes(listener)) process.removeListener(event, listener);
      }
    }
    const cpuFile = env['STANDFAST_TEST_CPU'];
    if (cpuFile !== undefined) {
      appendFileSync(cpuFile, `${JSON.stringify([this.#path, cpuSeconds() - this.#before.cpu])}\n`);
    }
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}

function listenersOfProcess() {
  return ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'].map((event) => [
    event,
    process.rawListeners(event),
  ]);
}
