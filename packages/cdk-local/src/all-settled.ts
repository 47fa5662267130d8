/**
 * `Promise.all` that waits for every promise even when one rejects, so that everything that did start is
 * known.
 */
export async function allSettled<T extends readonly Promise<unknown>[]>(
  promises: readonly [...T],
): Promise<{ [index in keyof T]: Awaited<T[index]> }> {
  await Promise.allSettled(promises);
  return (await Promise.all(promises)) as { [index in keyof T]: Awaited<T[index]> };
}
