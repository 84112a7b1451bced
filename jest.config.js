export default {
  testEnvironment: '<rootDir>/test/jest/environment.js',
  runtime: '<rootDir>/test/jest/runtime.js',
  testSequencer: '<rootDir>/test/jest/sequencer.js',
  extensionsToTreatAsEsm: ['.ts'],
  // Node loads test files, by test/jest/runtime.js.
  transform: {},
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // A bound for what hangs, hooks included; what waits for a fact has a bound of its own.
  testTimeout: 360_000,
  // Tests that only wait for real servers run side by side within a file.
  maxConcurrency: 10,
};
