/** One metric as a text to compare: it is told apart by its namespace, its name and all its dimensions. */
export function metricKey(
  namespace: string,
  name: string,
  dimensions: Readonly<Record<string, string>>,
): string {
  return JSON.stringify([namespace, name, Object.entries(dimensions).toSorted()]);
}
