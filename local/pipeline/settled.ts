/**
 * As `Promise.all`, but it waits for every one, so that whatever did start is known when one of them fails.
 */
export async function allSettled<T extends readonly Promise<unknown>[]>(
  promises: readonly [...T],
): Promise<{ [index in keyof T]: Awaited<T[index]> }> {
  await Promise.allSettled(promises);
  return (await Promise.all(promises)) as { [index in keyof T]: Awaited<T[index]> };
}
