/** How the tables of this folder compare: medians of interleaved runs, in milliseconds of CPU time. */

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const [low = Number.NaN, high = Number.NaN] = [sorted[(sorted.length - 1) >> 1], sorted[middle]];
  return (low + high) / 2;
}

export const ratio = (one: number, other: number): string => `${(one / other).toFixed(2)} ×`;

export function table(header: string, rows: readonly (readonly (string | number)[])[]): string {
  const columns = header.split(' | ').length;
  const line = `|${['---', ...Array(columns - 1).fill('---:')].join('|')}|`;
  return [`| ${header} |`, line, ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n');
}

/** CPU time of this process while `work` runs, in microseconds. */
export async function microsecondsOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
