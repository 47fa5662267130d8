import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { credentials, region } from '@payhooks/cdk-local';
import { bytesOf, noRetries, paidEvent } from '@payhooks/payment-service/simulator';
import { type PrivateKeyEntry, parseKeySecret, writeKeySecret } from '../../lambdas/contract/key-secret.ts';
import { createSigningKey } from '../../lambdas/domain/signature.ts';
import { describeResponse, describeSample } from '../webhooks/description.ts';
import type { Bench } from './bench.ts';
import { both, type Experiment } from './experiment.ts';
import type { Verdict } from './run-record.ts';
import { seeNoOrder, seeOrder } from './sights.ts';

/** Real rotations overlap for hours or days. */
const overlapSeconds = 15;
/** On a busy machine the run takes minutes; an end before it would bring the former key back too early. */
const rotationMillisecondsMax = 300_000;
/** As many at once as reach every instance of the verifier, each of which then reads the keys again. */
const copies = 6;
/** An instance reads its keys again at most every ten seconds; the payment service repeats a 403 as well. */
const schedule = { ...noRetries, pausesMilliseconds: Array.from({ length: 12 }, () => 1_000) };

export const keyRotation: Experiment = {
  name: 'key-rotation',
  group: 'faults',
  disturbs: true,
  title: 'Rotate the key',
  does: `Gives the account a new key, accepts the former one for ${overlapSeconds} seconds, then goes back.`,
  expected: 'Both keys get 2xx in the overlap; the former key gets 403 after it.',
  guarantee: 'A rotation loses no webhook, and a key that has ended opens nothing.',
  alarm: 'SignatureKeysExpired',
  async run(bench) {
    const former = bench.keys.live;
    const next = `pri_${randomBytes(24).toString('hex')}`;
    const overlapEnds = Date.now() + overlapSeconds * 1_000;
    const rotated = await bench.withFault(
      {
        title: `A new private key signs, and the former one is accepted for ${overlapSeconds} seconds`,
        over: 'The account has its first key again.',
        ...{ milliseconds: rotationMillisecondsMax, endsWithWork: true },
        async begin() {
          await replaceKey(bench, { key: next, othersEnd: overlapEnds });
          return () => replaceKey(bench, { key: former, othersEnd: Date.now() });
        },
      },
      async () =>
        both(
          await seePaid(bench, { orderId: `${bench.orderId}-1`, key: next, name: 'new key' }),
          await seePaid(bench, { orderId: `${bench.orderId}-2`, key: former, name: 'former key' }),
          await seeRefused(bench, { orderId: `${bench.orderId}-3`, key: former }, overlapEnds),
        ),
    );
    return both(
      rotated,
      await seePaid(bench, { orderId: `${bench.orderId}-4`, key: former, name: 'first key' }),
    );
  },
};

interface Signed {
  readonly orderId: string;
  readonly key: string;
}

async function seePaid(bench: Bench, { orderId, key, name }: Signed & { name: string }): Promise<Verdict> {
  const event = paidEvent({ orderId });
  const posting = { privateKey: key, schedule };
  await Promise.all(Array.from({ length: copies }, () => bench.post(bytesOf(event), posting)));
  await bench.sendBody(bytesOf(event), `${describeSample(event)}, signed with the ${name}`, posting);
  return seeOrder(bench, { status: 'paid', events: 1, orderId });
}

async function seeRefused(bench: Bench, { orderId, key }: Signed, at: number): Promise<Verdict> {
  await pause(Math.max(0, at - Date.now()), undefined, { signal: bench.signal });
  const event = paidEvent({ orderId });
  const description = `${describeSample(event)}, signed with the former key after its end`;
  const posting = { privateKey: key, schedule: noRetries };
  const response = describeResponse(await bench.sendBody(bytesOf(event), description, posting));
  const refused = { asExpected: response === '403', seen: `The former key got ${response} after its end.` };
  return both(refused, await seeNoOrder(bench, orderId));
}

/** The stack verifies with the key first, with others of its mode until their end, and the account signs. */
async function replaceKey(
  { pipeline, keys }: Bench,
  { key, othersEnd }: { readonly key: string; readonly othersEnd: number },
): Promise<void> {
  const { endpoints, resources, simulator } = pipeline;
  const client = new SecretsManagerClient({ endpoint: endpoints.secretsManager, region, credentials });
  try {
    const SecretId = resources.keySecretId;
    const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId }));
    const next = withKey(parseKeySecret(SecretString), key, { now: Date.now(), othersEnd });
    await client.send(new PutSecretValueCommand({ SecretId, SecretString: writeKeySecret(next) }));
  } finally {
    client.destroy();
  }
  simulator.setPrivateKey(key);
  keys.live = key;
}

/** Of the keys that have an end, only those that are still accepted stay: a secret holds ten at most. */
export function withKey(
  entries: readonly PrivateKeyEntry[],
  key: string,
  times: { readonly now: number; readonly othersEnd: number },
): PrivateKeyEntry[] {
  const { mode } = createSigningKey(key);
  const others = entries
    .filter((entry) => entry.key !== key && (entry.acceptedUntil ?? times.now + 1) > times.now)
    .map((entry) =>
      createSigningKey(entry.key).mode === mode
        ? { ...entry, acceptedUntil: Math.min(entry.acceptedUntil ?? times.othersEnd, times.othersEnd) }
        : entry,
    );
  return [{ key }, ...others];
}
