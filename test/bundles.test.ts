import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { leanBundleOptions } from '../lib/lean-bundle.ts';

/** Each bundle is read and compiled by every cold start, before the request that waits for it. */
const bytesMax = { verifier: 210_000, consumer: 275_000, 'order-query': 255_000, 'order-feed': 210_000 };

async function bundleOf(stage: string) {
  const entryPoints = [join(import.meta.dirname, '..', 'lambdas', stage, 'handler.ts')];
  const { metafile } = await build({ ...leanBundleOptions, entryPoints, write: false, metafile: true });
  const [bundle] = Object.values(metafile.outputs);
  return { bytes: bundle?.bytes ?? 0, inputs: Object.keys(bundle?.inputs ?? {}) };
}

describe('the bundle of', () => {
  it.each(Object.entries(bytesMax))('%s has at most %i bytes', async (stage, max) => {
    const { bytes, inputs } = await bundleOf(stage);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(max);
    const replaced = /event-streams\/|shared-ini-file-loader\/parse|endpoint-cache|Sha256Js|codec-v2/;
    expect(inputs.filter((input) => replaced.test(input) && !input.includes('sdk-parts'))).toEqual([]);
  });
});
