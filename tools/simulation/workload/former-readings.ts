import type { MeantEvent } from '../history.ts';
import type { Random } from '../random.ts';
import type { FormerReading } from './events.ts';

/**
 * Every version reads these in the same way: of two bodies under one id, and of a body in quarantine, it is
 * not a replay that decides what counts, but what the version said that recorded them.
 */
const readAlike = [
  'same_id_other_fact',
  'same_id_other_order',
  'same_fact_other_bytes',
  'quarantined',
  'wrong_mode',
];

/** What a former version read in the events of a story: often the same, sometimes another order. */
export function formerReadings(
  story: string,
  random: Random,
  id: (what: string) => string,
): (event: MeantEvent) => FormerReading {
  const readings = new Map<string, FormerReading>();
  return function formerly(event) {
    if (readAlike.includes(story)) return event;
    if (story === 'moved_payment') return { ...event, orderId: id('former order') };
    const reading = readings.get(event.id) ?? chooseReading(event, random, id);
    readings.set(event.id, reading);
    return reading;
  };
}

function chooseReading(event: MeantEvent, random: Random, id: (what: string) => string): FormerReading {
  if (random.chance(0.3)) return event;
  const { orderId, transactionId, amount } = event;
  return {
    orderId: random.pick([orderId, orderId, id('order'), id('other order'), undefined]),
    transactionId: random.pick([transactionId, transactionId, id('transaction'), id('other transaction')]),
    amount: random.pick([amount, amount, '1.00']),
  };
}
