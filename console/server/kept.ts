/**
 * A reading that is shared: by everyone who asks while it runs, and for some time after it. A failed one is
 * not kept.
 */
export function createKept<Value>(read: () => Promise<Value>, milliseconds: number) {
  let kept: { readonly until: number; readonly value: Promise<Value> } | undefined;
  return {
    read(): Promise<Value> {
      if (kept !== undefined && performance.now() < kept.until) return kept.value;
      const value = read();
      const own = { value, until: Number.POSITIVE_INFINITY };
      kept = own;
      value.then(
        () => {
          if (kept === own) kept = { value, until: performance.now() + milliseconds };
        },
        () => {
          if (kept === own) kept = undefined;
        },
      );
      return value;
    },
    forget(): void {
      kept = undefined;
    },
  };
}
