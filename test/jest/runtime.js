// What jest calls a runtime: how a test file is loaded. Here Node itself does it, with tsx for the types, so that a worker loads
// each module of the sources and of the packages once. See docs/adr/0062-tests-share-their-modules.md.
import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { register as registerTsx } from 'tsx/esm/api';

const require = createRequire(import.meta.url);
const handlersSymbol = Symbol.for('EVENT_HANDLERS');
const timeoutSymbol = Symbol.for('TEST_TIMEOUT_SYMBOL');
let isRegistered = false;

export default class NativeRuntime {
  #environment;

  constructor(_config, environment) {
    this.#environment = environment;
  }

  /** Only jest-circus comes this way, which keeps the state of one file: each file gets its own, its packages once. */
  requireInternalModule(path) {
    delete require.cache[require.resolve(path)];
    delete globalThis[handlersSymbol];
    delete globalThis[timeoutSymbol];
    return require(path);
  }

  setGlobalsForRuntime(globals) {
    const { moduleMocker, fakeTimersModern } = this.#environment;
    const jest = {
      fn: moduleMocker.fn.bind(moduleMocker),
      spyOn: moduleMocker.spyOn.bind(moduleMocker),
      restoreAllMocks: moduleMocker.restoreAllMocks.bind(moduleMocker),
      setTimeout: (ms) => void (globalThis[timeoutSymbol] = ms),
      useFakeTimers: fakeTimersModern.useFakeTimers.bind(fakeTimersModern),
      useRealTimers: fakeTimersModern.useRealTimers.bind(fakeTimersModern),
      advanceTimersByTimeAsync: fakeTimersModern.advanceTimersByTimeAsync.bind(fakeTimersModern),
    };
    globalThis[Symbol.for('standfast.jest')] = { ...globals, jest };
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    if (!isRegistered) {
      isRegistered = true;
      registerTsx();
      register('./resolve-hook.js', import.meta.url);
    }
    await import(pathToFileURL(path).href);
  }

  requireModule(path) {
    return require(path);
  }

  getSourceMaps() {
    return new Map();
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  enterTestCode() {}

  leaveTestCode() {}

  teardown() {}
}
