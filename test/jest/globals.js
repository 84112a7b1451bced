// What `@jest/globals` gives to test files and to what they share: always that of the file that runs now.
const current = (name) => globalThis[Symbol.for('standfast.jest')][name];
const live = (name) =>
  new Proxy(() => undefined, {
    apply: (_target, _self, args) => current(name)(...args),
    get: (_target, key) => current(name)[key],
  });

export const afterAll = live('afterAll');
export const afterEach = live('afterEach');
export const beforeAll = live('beforeAll');
export const beforeEach = live('beforeEach');
export const describe = live('describe');
export const expect = live('expect');
export const jest = live('jest');
export const test = live('test');
