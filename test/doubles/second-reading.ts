import type { ReadBody } from '../../tools/simulation/checker/projection.ts';
import { readBody } from '../../tools/simulation/checker/signed-body.ts';

/**
 * Live bodies as the simulation's checker reads them, without any code of the product. Those that may change
 * no order are left out; of several under one event id the first in the list came first.
 */
export function secondReading(bodies: readonly string[]): readonly ReadBody[] {
  const readings = bodies.map((body) => readBody(Buffer.from(body), 'live'));
  const events = readings.flatMap((reading) => (reading.kind === 'event' ? [reading.event] : []));
  const firsts = new Map(events.toReversed().map((event) => [event.id, event]));
  return events.map((event) => ({ event, isFirst: firsts.get(event.id) === event, sha256: '' }));
}
