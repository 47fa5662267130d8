import { createHash, createHmac } from 'node:crypto';
import type { Attempt, Delivery, History } from '../history.ts';
import { type Mode, type Reading, readBody } from './signed-body.ts';

/** A body that was sent with a signature under a key of the account, in the mode of that key. */
export interface SentBody {
  readonly mode: Mode;
  readonly sha256: string;
  readonly bytes: Buffer;
  readonly reading: Reading;
  /** What the former version reads in it; the same in a run that has none. */
  readonly formerReading: Reading;
  /** The signatures with which it was sent, in lowercase hexadecimal. */
  readonly signatures: Set<string>;
  /** When it was sent first. */
  firstAt: number;
  /** The number of the first delivery that got a 2xx. */
  acknowledged: number | undefined;
  /** Whether any attempt had an outcome after which it may be stored. */
  mayBeStored: boolean;
}

export const sentKey = (mode: Mode, sha256: string): string => `${mode} ${sha256}`;

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The bodies that were sent, by mode and SHA-256. */
export function sentBodies({ deliveries, secretValues, settings, formerly }: History) {
  const today = { configured: settings.eventMeanings };
  const before = formerly && {
    configured: formerly.eventMeanings,
    version: formerly.hasOtherPlaces ? ('formerly' as const) : ('today' as const),
  };
  const modes = new Map(
    secretValues.flatMap(({ keys = [] }) => keys.map(({ key, mode }) => [key, mode] as const)),
  );
  /** The mode of a signature that is right; `undefined` for any other. */
  const modeOf = ({ body }: Delivery, { key, signature }: Attempt): Mode | undefined => {
    const mode = modes.get(key ?? '');
    if (mode === undefined || key === undefined) return undefined;
    const digest = createHmac('sha256', key).update(Buffer.from(body, 'base64')).digest('hex');
    return digest === signature ? mode : undefined;
  };
  const bodies = new Map<string, SentBody>();
  for (const delivery of deliveries) {
    for (const attempt of delivery.attempts) {
      const mode = modeOf(delivery, attempt);
      if (mode === undefined) continue;
      const bytes = Buffer.from(delivery.body, 'base64');
      const sha256 = sha256Of(bytes);
      const sent = bodies.get(sentKey(mode, sha256)) ?? {
        ...{ mode, sha256, bytes, reading: readBody(bytes, mode, today) },
        formerReading: readBody(bytes, mode, before ?? today),
        ...{
          firstAt: attempt.at,
          signatures: new Set<string>(),
          acknowledged: undefined,
          mayBeStored: false,
        },
      };
      bodies.set(sentKey(mode, sha256), sent);
      sent.firstAt = Math.min(sent.firstAt, attempt.at);
      sent.signatures.add(attempt.signature ?? '');
      const { outcome } = attempt;
      if (outcome.kind === 'status' && outcome.status < 300) sent.acknowledged ??= delivery.number;
      sent.mayBeStored ||=
        outcome.kind === 'unknown' ||
        (outcome.kind === 'status' && (outcome.status < 300 || outcome.status >= 500));
    }
  }
  return { bodies, modeOf };
}
