/** RFC 9110, 10.2.3: whole seconds or an HTTP date. Any other text counts as no header. */
export function retryAfterMilliseconds(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // Date.parse reads far more than HTTP dates, each of which begins with a weekday.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
  // The oldest form names no time zone and means GMT; Date.parse would take the machine's.
  const moment = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - Date.now());
}
