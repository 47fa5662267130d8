/** How long the events of the feed are read: it stays open. */
const feedMilliseconds = 1_000;

/** Everything that is on local mode's bus, as text. */
export async function published(baseUrl: string): Promise<string> {
  const signal = AbortSignal.timeout(feedMilliseconds);
  const { body } = await fetch(`${baseUrl}/feed`, { headers: { 'last-event-id': '0' }, signal });
  let text = '';
  try {
    for await (const chunk of body ?? []) text += Buffer.from(chunk).toString();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return text;
}
