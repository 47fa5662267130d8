const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Such as `12 min`: one unit, rounded down. */
export function age(milliseconds: number): string {
  if (milliseconds < minute) return `${Math.max(0, Math.floor(milliseconds / second))} s`;
  if (milliseconds < 2 * hour) return `${Math.floor(milliseconds / minute)} min`;
  if (milliseconds < 2 * day) return `${Math.floor(milliseconds / hour)} h`;
  return `${Math.floor(milliseconds / day)} d`;
}

/** How long ago an ISO 8601 time was. */
export const ageOf = (time: string, now: number): string => age(now - Date.parse(time));
