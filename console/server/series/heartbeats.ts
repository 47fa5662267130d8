/** How many minutes away from a heartbeat a count may have it. */
export interface Tolerance {
  readonly before: number;
  readonly after: number;
}

/** Takes heartbeats out of counts per minute: each out of its own minute or one near it, later ones first. */
export function withoutHeartbeats(
  counts: readonly number[],
  heartbeats: readonly number[],
  { before, after }: Tolerance,
): readonly number[] {
  const left = [...counts];
  for (const [minute, count] of heartbeats.entries()) {
    let open = count;
    const later = Array.from({ length: after + 1 }, (_, index) => minute + index);
    const earlier = Array.from({ length: before }, (_, index) => minute - 1 - index);
    for (const at of [...later, ...earlier]) {
      const taken = Math.min(open, left[at] ?? 0);
      if (taken <= 0) continue;
      left[at] = (left[at] ?? 0) - taken;
      open -= taken;
    }
  }
  return left;
}
