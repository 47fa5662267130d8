import * as assumed from './assumptions.ts';
import { assumedDurations, billOf, type Durations, sumOf } from './bill.ts';
import { dollars, table, whole } from './markdown.ts';
import type { Measurement } from './measurement.ts';
import { storageBill, storedByOrder } from './month.ts';
import { hoursPerMonth, type PriceName, prices } from './prices.ts';
import { eventRowSize } from './row-size.ts';
import { timesUsage } from './usage.ts';

const million = 1_000_000;

/** The tables of `docs/cost.md` that say what follows from other durations, bodies, habits and prices. */
export function sensitivityTables(measured: Measurement): Readonly<Record<string, string>> {
  return {
    durations: durationTable(measured),
    bodies: bodies(),
    storage: storage(measured),
    polling: polling(measured),
    prices: priceTable(),
  };
}

const durationsOf = ({ scenarios }: Measurement): Durations =>
  assumedDurations(scenarios.billing.memoryMegabytes);

function durationTable(measured: Measurement): string {
  const { usages, billing } = measured.scenarios;
  const factors = [0.5, 1, 2, 4];
  const stageRows = (Object.keys(assumed.warmMilliseconds) as assumed.Stage[]).map((stage) => [
    `${stage}, ${assumed.warmMilliseconds[stage]} ms at ${billing.memoryMegabytes[stage]} MB`,
    ...factors.map((factor) => {
      const one = timesUsage({ ...usages.forged, invocations: { [stage]: 1 } }, million);
      const lines = billOf(one, { ...durationsOf(measured), factor });
      return dollars(sumOf(lines.filter(({ name }) => /duration$/.test(name))));
    }),
  ]);
  const all = factors.map((factor) =>
    dollars(sumOf(billOf(timesUsage(usages.paid, million), { ...durationsOf(measured), factor }))),
  );
  const header = ['a million invocations', ...factors.map((factor) => `${factor} ×`)];
  return table(header, [...stageRows, ['**a million paid events, all lines**', ...all]]);
}

function bodies(): string {
  const rows = [0, 100, 500, 1_000, 4_000, 16_000, 64_000, 250_000].map((extra) => {
    const { bodyBytes, rowBytes, writeUnits } = eventRowSize(extra);
    return [
      whole(bodyBytes),
      whole(rowBytes),
      whole(writeUnits),
      dollars(writeUnits * million * prices.writeUnit.dollars),
    ];
  });
  return table(['bytes of the body', 'bytes of its row', 'write units', 'a million of them'], rows);
}

function storage({ scenarios }: Measurement): string {
  const rows = storedByOrder(scenarios).map((one) => {
    const recovered = one.recovered ? 'yes' : 'no';
    return [one.what, whole(one.bytes), recovered, dollars(storageBill(one, million))];
  });
  return table(['what a paid event leaves', 'bytes', 'recoverable', 'a million of them, per month'], rows);
}

function polling(measured: Measurement): string {
  const secondsPerMonth = hoursPerMonth * 3600;
  const rows = [1, 10, 60, 300].map((seconds) => {
    const usage = timesUsage(measured.scenarios.usages.emptyPage, secondsPerMonth / seconds);
    return [`every ${seconds} s`, dollars(sumOf(billOf(usage, durationsOf(measured))))];
  });
  return table(['`GET /orders?updated_since=` with nothing new', 'a month'], rows);
}

function priceTable(): string {
  const names = Object.keys(prices) as PriceName[];
  const rows = names.map((name) => {
    const { dollars: amount, per, source } = prices[name];
    const perMany = amount < 0.001 ? `$${Number((amount * million).toPrecision(6))} a million` : `$${amount}`;
    return [per, perMany, source];
  });
  return table(['what is paid for', 'price', 'source'], rows, false);
}
