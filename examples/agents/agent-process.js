// What every agent process shares: numbers from flags and environment, the ready line, a clean end.

/** @param {string | undefined} text @param {string} name */
export function wholeNumber(text, name) {
  const value = Number(text);
  if (text === undefined || text.trim() === '' || !Number.isInteger(value) || value < 0) {
    throw new Error(`${name}: expected a whole number, got ${JSON.stringify(text)}`);
  }
  return value;
}

/**
 * Starts, prints the ready line, and ends on SIGINT and SIGTERM; with `stopWithParent` also when stdin closes, so that an
 * agent never outlives the process that started it.
 * @param {string} name @param {() => Promise<{ url: string, close(): Promise<void> }>} start
 * @param {{ stopWithParent?: boolean }} [options]
 */
export async function runAgentProcess(name, start, { stopWithParent = false } = {}) {
  try {
    const agent = await start();
    const stop = () => void agent.close().finally(() => process.exit(0));
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
    if (stopWithParent) process.stdin.resume().once('end', stop).once('error', stop);
    console.log(`${name} ready ${agent.url}`);
  } catch (error) {
    console.error(`${name} cannot start: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
}
