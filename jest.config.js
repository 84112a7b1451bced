const swc = ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, sourceMaps: 'inline' }];
// ESM-only packages that CommonJS ones require(): jest below Node 24.9 cannot do that by itself.
const esmDeps = 'cookie|content-disposition';
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': swc, [`/node_modules/(${esmDeps})/.+\\.js$`]: swc },
  transformIgnorePatterns: [`/node_modules/(?!(.+/node_modules/)?(${esmDeps})/)`],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // A bound for what hangs, hooks included; what waits for a fact has a bound of its own.
  testTimeout: 180_000,
  // Tests that only wait for real servers run side by side within a file.
  maxConcurrency: 10,
};
