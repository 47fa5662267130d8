/** When one delivery was posted, and when the story says it was. */
export interface Posted {
  readonly postedAt: number;
  readonly at: string;
}

/** How long after its receipt the fields of a response say that something happened to an event. */
const laterMilliseconds: Readonly<Record<string, number>> = { received_at: 0, recorded_at: 38 };
const otherwiseMilliseconds = 41;

/**
 * Gives a response of the API the times of the story: the pipeline runs now, and takes another few
 * milliseconds in each run. Times from before it are left as they are.
 */
export function createStoryTimes(posted: readonly Posted[]) {
  return function inStoryTimes(json: string): string {
    return JSON.stringify(
      JSON.parse(json, (field, value: unknown) => {
        const instant =
          typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*Z$/.test(value) ? Date.parse(value) : NaN;
        const delivery = posted.findLast(({ postedAt }) => postedAt <= instant);
        if (delivery === undefined) return value;
        const later = laterMilliseconds[field] ?? otherwiseMilliseconds;
        return new Date(Date.parse(delivery.at) + later).toISOString();
      }),
    );
  };
}
