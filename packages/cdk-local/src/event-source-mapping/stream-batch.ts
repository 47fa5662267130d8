import type { StreamRecord } from '../emulators/table-stream.ts';
import type { Invocation } from '../functions/invocation.ts';
import type { StreamMappingModel } from '../template/invocations.ts';
import type { DiscardedBatch } from './discarded-batch.ts';
import { failedItems } from './failed-items.ts';

export interface BatchParts {
  readonly model: Pick<StreamMappingModel, 'reportsItemFailures' | 'bisectsBatches' | 'retriesMax'>;
  readonly invoke: (records: readonly StreamRecord[]) => Promise<Invocation>;
  /** Removes the records at the front of the batch. */
  readonly settle: (records: readonly StreamRecord[]) => Promise<void>;
  readonly discard: (batch: Omit<DiscardedBatch, 'functionArn'>) => Promise<void>;
  readonly isTooOld: (record: StreamRecord) => boolean;
  /** Waits before a retry; `false` when everything stops. */
  readonly mayRetry: (failures: number) => Promise<boolean>;
}

/** Records of one invocation, and the outcome so far. */
interface Piece {
  readonly records: readonly StreamRecord[];
  readonly retries: number;
  readonly invokeCount: number;
  readonly lastInvocation: Invocation | undefined;
}

/**
 * Passes on a batch until each of its records is done or discarded, in their order, by Lambda's rules for
 * streams: the next attempt begins at the first failure that the function names, and a batch that failed as a
 * whole may be cut in halves, which is no retry. Resolves early when everything stops; what is not settled
 * then stays in the stream.
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

/** Invokes once, and returns what is left of the piece. */
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
  // Lambda does not document how it counts retries after progress; here a record that fails first has all of
  // its own.
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
