/**
 * Runs drills one after the other, in one scene until one fails: what that leaves, such as a broken secret
 * or a full queue, must not fail the next, which gets a new scene. Resolves with how many failed.
 */
export async function runSeries<Drill, Scene extends { close(): Promise<void> }>(
  drills: readonly Drill[],
  open: () => Promise<Scene>,
  run: (drill: Drill, scene: Scene, place: string) => Promise<boolean>,
): Promise<number> {
  let failed = 0;
  let scene: Scene | undefined;
  try {
    for (const [index, drill] of drills.entries()) {
      scene ??= await open();
      if (await run(drill, scene, `[${index + 1}/${drills.length}]`)) continue;
      failed += 1;
      const left = scene;
      scene = undefined;
      await left.close();
    }
  } finally {
    await scene?.close();
  }
  return failed;
}
