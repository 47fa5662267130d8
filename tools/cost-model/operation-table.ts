import { addUsages, dollarsFor, gigabyte } from './bill.ts';
import { dollars, table } from './documents.ts';
import { floodRequests, type Measurement, type ScenarioName } from './scenarios.ts';

const titles: Readonly<Partial<Record<ScenarioName, string>>> = {
  paid: 'a paid event, with its feed',
  refund: 'a refund of a paid order',
  duplicate: 'a second delivery',
  expiring: 'a paid event, with `eventRetentionDays`',
  orderlessRefund: 'a refund without an order id, of a paid order',
  unassigned: 'a refund without an order id, which waits for its payment',
  latePayment: 'the payment that it waits for',
  conflict: 'another payment under the id of an event, which waits',
  unrecognised: 'a signed body that is no event, and waits',
  logged: 'a paid event, with `logLevel` `info`',
  large: 'a paid event of 100 KB, which hardly compresses',
  forged: 'a forged request',
  flood: 'a forged request in a flood',
  tenOrders: 'ten paid events of ten orders, in one batch',
  hot10: 'ten paid events of one order, in one batch',
  order: '`GET /orders/{order_id}`',
  page: '`GET /orders`, 50 orders',
  emptyPage: '`GET /orders`, nothing new',
};

/** What each operation uses. */
export function operationTable({ counted }: Measurement): string {
  const rows = Object.entries(titles).map(([name, title]) => {
    const { usage, feed } = counted[name as ScenarioName];
    const part = name === 'flood' ? 1 / floodRequests : 1;
    const of = addUsages([usage, part], [feed, part]);
    const counts = [of.gatewayRequests, of.invocations, of.queueRequests, of.eventWrites, of.orderWrites];
    const others = [of.indexWrites, of.reads, of.busEvents, Math.round((of.logs ?? 0) * gigabyte)];
    return [title, ...[...counts, ...others].map((count) => count ?? 0), dollars(dollarsFor(of, 1_000_000))];
  });
  const header = 'what happens | API requests | invocations | SQS requests | event writes | order writes';
  return table(`${header} | index writes | reads | bus events | log bytes | a million of it`, rows);
}
