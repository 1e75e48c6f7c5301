/**
 * Formats a text table. Each column is as wide as its widest cell. The first column is left-aligned, all
 * others are right-aligned.
 */
export function format(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all
    .map((row) =>
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('  '),
    )
    .join('\n')
}

/** Formats a duration in milliseconds with a suitable unit. */
export function formatTime(milliseconds: number): string {
  if (milliseconds < 0.001) return `${(milliseconds * 1e6).toFixed(0)} ns`
  if (milliseconds < 1) return `${(milliseconds * 1e3).toFixed(2)} µs`
  return milliseconds < 1000 ? `${milliseconds.toFixed(2)} ms` : `${(milliseconds / 1000).toFixed(2)} s`
}
