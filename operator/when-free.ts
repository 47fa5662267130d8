/** How often a request waits for its subject; each wait takes a consumer's time limit at most. */
const waitsMax = 10;

interface Attempt<Result> {
  readonly request: () => Promise<Result>;
  /** After which the request may succeed; `undefined` for an error that will not pass. */
  readonly retryAfterSecondsOf: (error: unknown) => number | undefined;
  readonly wait: (seconds: number, error: unknown) => Promise<void>;
}

/** Repeats a request while its subject is busy: a consumer may still be working on it. */
export async function whenFree<Result>({ request, retryAfterSecondsOf, wait }: Attempt<Result>) {
  for (let waits = 0; ; waits += 1) {
    try {
      return await request();
    } catch (error) {
      const seconds = retryAfterSecondsOf(error);
      if (seconds === undefined || waits === waitsMax) throw error;
      await wait(seconds, error);
    }
  }
}

export const busySentence = (seconds: number, subject: string): string =>
  `Waiting ${seconds} s: a consumer may still be working on ${subject}.`;
