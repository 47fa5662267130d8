/** RFC 9110, 10.2.3: whole seconds or an HTTP date. Any other text counts as no header. */
export function retryAfterMilliseconds(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // Date.parse reads far more than HTTP dates, which begin with a weekday and end in GMT.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun).*GMT$/.test(text)) return undefined;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - Date.now());
}
