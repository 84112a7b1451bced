/** @param {number[]} values @param {number} share 0 to 1 */
export function percentile(values, share) {
  if (values.length === 0) return Number.NaN;
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** @param {number[]} values */
export const spread = (values) => ({
  min: Math.min(...values),
  median: percentile(values, 0.5),
  max: Math.max(...values),
});

export const sum = (/** @type {number[]} */ values) => values.reduce((total, value) => total + value, 0);

/** Three figures that mean something, and no more. */
export function show(/** @type {number} */ value) {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** @param {string[]} head @param {(string | number)[][]} rows */
export function table(head, rows) {
  const lines = [head, head.map((_, index) => (index === 0 ? '---' : '---:')), ...rows];
  return lines
    .map((cells) => `| ${cells.map((cell) => (typeof cell === 'number' ? show(cell) : cell)).join(' | ')} |`)
    .join('\n');
}
