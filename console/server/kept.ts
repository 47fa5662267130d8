/**
 * A reading that is shared: by everyone who asks while it runs, and for some time after it. A failed one is
 * not kept.
 */
export function createKept<Value>(read: () => Promise<Value>, milliseconds: number): () => Promise<Value> {
  let kept: Promise<Value> | undefined;
  let until = 0;
  const readAnew = async (): Promise<Value> => {
    until = Number.POSITIVE_INFINITY;
    try {
      const value = await read();
      until = performance.now() + milliseconds;
      return value;
    } catch (error) {
      until = 0;
      throw error;
    }
  };
  return () => {
    if (kept === undefined || performance.now() >= until) kept = readAnew();
    return kept;
  };
}
