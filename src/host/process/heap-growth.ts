import { setFlagsFromString } from 'node:v8';

/** By how much of what is in use the heap may grow before V8 collects again. */
const growthPercent = 50;

/**
 * Lets V8 collect the old generation once it is half as large again as what is in use. By default V8 lets it grow up to four
 * times under a steady load, and keeps that memory. A version of Node without this flag says so, and runs as it did.
 */
export function boundHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
}
