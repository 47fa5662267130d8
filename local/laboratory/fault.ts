import { setTimeout as pause } from 'node:timers/promises';
import type { RunParts } from './run-record.ts';

/** Something that is broken for a time. */
export interface Fault {
  /** Such as `Every write to DynamoDB fails`. */
  readonly title: string;
  /** What is true after it. */
  readonly over: string;
  /** How long it lasts; at most, when it ends with the work. */
  readonly milliseconds: number;
  readonly endsWithWork?: boolean;
  /** Resolves with the function that ends it. */
  begin(): Promise<() => unknown>;
}

/** What is done under a fault, which may be over before the work is. */
export type Work<T> = (isOn: () => boolean) => Promise<T>;

/** Ends the fault after its time, also when `work` fails or takes longer, or local mode stops. */
export async function runFault<T>(
  { title, over, milliseconds, endsWithWork = false, begin }: Fault,
  work: Work<T>,
  { record, faults, signal, experiment }: RunParts,
): Promise<T> {
  const end = await begin();
  const shown = { experiment, title, ends_at: new Date(Date.now() + milliseconds).toISOString() };
  faults.add(shown);
  record.step('fault', `${title}, for ${endsWithWork ? 'at most ' : ''}${milliseconds / 1_000} seconds.`);
  const worked = new AbortController();
  let isOn = true;
  async function endInTime(): Promise<void> {
    const ending = AbortSignal.any([signal, worked.signal]);
    await pause(milliseconds, undefined, { signal: ending }).catch(() => undefined);
    isOn = false;
    await end();
    faults.delete(shown);
    record.step('fault', over);
  }
  const ended = endInTime();
  try {
    return await work(() => isOn);
  } finally {
    if (endsWithWork) worked.abort();
    await ended;
  }
}
