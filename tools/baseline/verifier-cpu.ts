import { encodeBody } from '../../lambdas/contract/queue-message.ts';
import { createSigningKey, sign, verify } from '../../lambdas/domain/signature.ts';
import { createVerifier } from '../../lambdas/verifier/verifier.ts';
import { microsecondsOf, ratio, table } from './measurements.ts';
import { webhookEvent } from './pipelines.ts';
import { privateKey, signatureHeader } from './stack.ts';

const kilobytes = [1, 4, 16, 64, 256] as const;
const rounds = 18;
/** Long enough for a clock that counts CPU time in microseconds, on any machine. */
const bytesPerRound = 12 * 1024 * 1024;

/** A JSON body of exactly this length. */
const bodyOf = (bytes: number): Buffer => Buffer.from(JSON.stringify({ text: 'x'.repeat(bytes - 11) }));

const ignore = (): void => undefined;
const keys = [createSigningKey(privateKey)];
let sent = 0;
const enqueue = async ({ body }: { readonly body: Uint8Array }): Promise<void> => {
  sent += encodeBody(body).length;
};
const known = async () => ({ keys, isCertain: true });
const verifier = createVerifier({
  signatureHeader,
  keys: { current: known, reread: known },
  enqueue,
  now: Date.now,
  telemetry: { log: ignore, count: ignore, measure: ignore, flush: ignore },
});

/** What no receiver can do without: bytes of the text, their HMAC, and base64 for the queue. */
async function floor(text: string, header: string): Promise<void> {
  const body = Buffer.from(text, 'utf8');
  if (!verify(keys, { header, body, now: 0 }).ok) throw new Error('The floor refuses its own signature.');
  await enqueue({ body });
}

/** Microseconds of CPU time per webhook, by the quickest round, without telemetry and sending. */
export async function measureVerifier() {
  const rows = [];
  for (const size of kilobytes) {
    const body = bodyOf(size * 1024);
    const header = sign(createSigningKey(privateKey), body);
    const event = webhookEvent('payhooks', body, header) as Parameters<typeof verifier>[0];
    const calls = Math.max(60, Math.min(4_000, Math.floor(bytesPerRound / body.length)));
    const repeated = async (call: () => Promise<unknown>): Promise<number> => {
      const all = await microsecondsOf(async () => {
        for (let index = 0; index < calls; index += 1) await call();
      });
      return all / calls;
    };
    const text = body.toString();
    const calledBy = {
      own: () => verifier(event),
      floor: () => floor(text, header),
      again: () => floor(text, header),
    };
    const least = { own: Infinity, floor: Infinity, again: Infinity };
    for (let round = 0; round < rounds; round += 1) {
      // In another order each time: what runs first pays for collecting the garbage of the last.
      const names = Object.keys(calledBy) as (keyof typeof calledBy)[];
      for (const name of [...names.slice(round % 3), ...names.slice(0, round % 3)])
        least[name] = Math.min(least[name], await repeated(calledBy[name]));
    }
    const { own, floor: without, again } = least;
    rows.push({ size, own, floor: without, ratio: own / without, control: again / without });
  }
  if (sent === 0) throw new Error('The verifier sent nothing.');
  return rows;
}

export const verifierTable = (rows: Awaited<ReturnType<typeof measureVerifier>>): string =>
  table(
    'body | verifier | decode, HMAC and encode | verifier ÷ these | these ÷ themselves',
    rows.map((row) => [
      `${row.size} KB`,
      `${row.own.toFixed(1)} µs`,
      `${row.floor.toFixed(1)} µs`,
      ratio(row.ratio, 1),
      ratio(row.control, 1),
    ]),
  );
