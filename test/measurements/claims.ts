/**
 * What comments and decision records claim, as ratios and counts. Nothing here is asserted against a clock, since a
 * shared machine is no stopwatch; a ratio of two loops in one process is.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { type BuildOptions, build } from 'esbuild';
import { eventFact } from '../../lambdas/domain/fact.ts';
import { parsePaymentEvent } from '../../lambdas/domain/payment-event.ts';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
import { leanBundleOptions } from '../../lib/lean-bundle.ts';

const lambdas = join(import.meta.dirname, '..', '..', 'lambdas');
const body = bytesOf(paidEvent({ orderId: 'order-1001', seed: 'measure' }));

function print(claim: string, figure: string): void {
  process.stdout.write(`${figure.padStart(12)}  ${claim}\n`);
}

/** How much longer `slow` takes than `fast`, over interleaved rounds so that both meet the same noise. */
function ratio(slow: () => unknown, fast: () => unknown): number {
  const spent = { slow: 0n, fast: 0n };
  for (let round = 0; round < 50; round += 1) {
    spent.slow += clock(slow);
    spent.fast += clock(fast);
  }
  return Number(spent.slow) / Number(spent.fast);
}

function clock(work: () => unknown): bigint {
  const since = process.hrtime.bigint();
  for (let n = 0; n < 500; n += 1) work();
  return process.hrtime.bigint() - since;
}

async function bundleBytes(contents: string, options: BuildOptions = {}): Promise<number> {
  const { outputFiles = [] } = await build({
    ...leanBundleOptions,
    ...options,
    stdin: { contents, resolveDir: lambdas, loader: 'ts' },
    write: false,
  });
  return outputFiles.reduce((sum, { contents: bytes }) => sum + bytes.length, 0);
}

async function measureBundles(): Promise<void> {
  const handler = (stage: string): string => `export * from './${stage}/handler.ts'`;
  for (const stage of ['verifier', 'consumer', 'order-query', 'order-feed']) {
    print(`bytes of the ${stage}'s bundle`, String(await bundleBytes(handler(stage))));
  }
  const whole = await bundleBytes(handler('verifier'), { alias: {} });
  const saved = whole - (await bundleBytes(handler('verifier')));
  print("bytes that the SDK's credential chain would add to it", String(saved));
  const telemetry = "export { createTelemetry } from './aws/telemetry.ts'";
  print('bytes of it that are Powertools', String(await bundleBytes(telemetry)));
}

function measureSignature(): void {
  const key = createSigningKey('pri_measured_key');
  const buffer = Buffer.from('pri_measured_key');
  const byBuffer = (): Buffer => createHmac('sha256', buffer).update(body).digest();
  print(
    'an HMAC with a Buffer as its key, against a KeyObject',
    ratio(byBuffer, () => sign(key, body)).toFixed(1),
  );
}

function measureRows(): void {
  const parsed = parsePaymentEvent(body);
  if (!parsed.ok) throw new Error(parsed.reason);
  const factBytes = Buffer.byteLength(eventFact(parsed.event));
  print('bytes of a paid-transaction event (API document 2.3)', String(body.length));
  print('bytes of it deflated, as its row keeps it', String(deflateSync(body).length));
  print('bytes of its fact', String(factBytes));
  print('facts that fit an order row of 400 KB', String(Math.floor((400 * 1024) / factBytes)));
  print('bytes that 256 KiB of noise grow by when deflated, and so are not', String(noiseGrowth()));
}

function noiseGrowth(): number {
  const noise = randomBytes(256 * 1024);
  return deflateSync(noise).length - noise.length;
}

/** Prints all of them. */
export async function printClaims(): Promise<void> {
  await measureBundles();
  measureSignature();
  measureRows();
}
