import type { StreamRecord } from '../emulators/stream-record.ts';
import type { Invocation } from '../functions/invocation.ts';
import type { StreamMappingModel } from '../template/model.ts';
import type { DiscardedBatch } from './discarded-batch.ts';
import { failedItems } from './verdict.ts';

export interface BatchParts {
  readonly model: StreamMappingModel;
  readonly invoke: (records: readonly StreamRecord[]) => Promise<Invocation>;
  /** The records at the front of the batch are done with. */
  readonly settle: (records: readonly StreamRecord[]) => Promise<void>;
  readonly discard: (batch: Omit<DiscardedBatch, 'functionArn'>) => Promise<void>;
  readonly isTooOld: (record: StreamRecord) => boolean;
  /** Waits before a retry; `false` when there shall be none, as everything stops. */
  readonly mayRetry: (failures: number) => Promise<boolean>;
}

/** Records that are handed over together, and how that went so far. */
interface Piece {
  readonly records: readonly StreamRecord[];
  readonly retries: number;
  readonly invokeCount: number;
  readonly lastInvocation: Invocation | undefined;
}

/**
 * Hands a batch over until each of its records is done or given up on, in their order, as Lambda does it for
 * streams: a named failure is where the next attempt begins, and what failed as a whole may be cut in halves,
 * which is no retry. Resolves early when everything stops; what is not settled then stays in the stream.
 */
export async function handleStreamBatch(parts: BatchParts, records: readonly StreamRecord[]): Promise<void> {
  let pieces: readonly Piece[] = [{ records, retries: 0, invokeCount: 0, lastInvocation: undefined }];
  let failures = 0;
  for (;;) {
    const [whole, ...later] = pieces;
    if (whole === undefined) return;
    const piece = await withoutTooOld(parts, whole);
    const left = piece.records.length === 0 ? [] : await attempt(parts, piece);
    pieces = [...left, ...later];
    failures = left.length === 0 ? 0 : failures + 1;
    if (failures > 0 && !(await parts.mayRetry(failures))) return;
  }
}

/** Invokes once; gives what of the piece is left to hand over. */
async function attempt({ model, invoke, settle, discard }: BatchParts, piece: Piece): Promise<Piece[]> {
  const { records } = piece;
  const lastInvocation = await invoke(records);
  const ids = records.map(({ dynamodb }) => dynamodb.SequenceNumber);
  const failed = failedItems(lastInvocation, { ids, reportsItemFailures: model.reportsItemFailures });
  const done = failed.size === 0 ? records.length : ids.findIndex((id) => failed.has(id));
  if (done > 0) await settle(records.slice(0, done));
  const rest = records.slice(done);
  if (rest.length === 0) return [];
  const tried = { ...piece, invokeCount: piece.invokeCount + 1, lastInvocation };
  if (model.bisectsBatches && failed.size === records.length && records.length > 1) {
    const middle = Math.ceil(records.length / 2);
    return [records.slice(0, middle), records.slice(middle)].map((half) => ({ ...tried, records: half }));
  }
  // Lambda does not say how it counts retries after progress; here a
  // record that fails first has all of its own.
  const retries = done > 0 ? 0 : piece.retries;
  if (retries < model.retriesMax) return [{ ...tried, records: rest, retries: retries + 1 }];
  await discard({ ...tried, condition: 'RetryAttemptsExhausted', records: rest });
  await settle(rest);
  return [];
}

async function withoutTooOld({ isTooOld, settle, discard }: BatchParts, piece: Piece): Promise<Piece> {
  const firstFresh = piece.records.findIndex((record) => !isTooOld(record));
  if (firstFresh === 0) return piece;
  const records = firstFresh === -1 ? piece.records : piece.records.slice(0, firstFresh);
  await discard({ ...piece, condition: 'RecordAgeExceeded', records });
  await settle(records);
  return { ...piece, records: piece.records.slice(records.length) };
}
