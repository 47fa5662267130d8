import uPlot from 'uplot';
import type { Series } from '../../contract/series.ts';
import { type ChartLine, type ChartModel, valueText } from './charts.ts';

const height = 104;
const axisFont = '11px system-ui, sans-serif';

export interface Plot {
  update(series: Series, model: ChartModel): void;
  destroy(): void;
}

/** Draws a chart into `box` and keeps it right when the box or the theme changes. */
export function createPlot(
  box: HTMLElement,
  { series, model, onHover }: { series: Series; model: ChartModel; onHover: (index: number | null) => void },
): Plot {
  const plot = new uPlot(optionsOf(box, model, onHover), dataOf(series, model), box);
  const resize = new ResizeObserver(() => {
    if (box.clientWidth > 0) plot.setSize({ width: box.clientWidth, height });
  });
  resize.observe(box);
  const redraw = (): void => plot.redraw();
  const theme = new MutationObserver(redraw);
  theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', redraw);
  return {
    update: (newSeries, newModel) => plot.setData(dataOf(newSeries, newModel)),
    destroy() {
      resize.disconnect();
      theme.disconnect();
      system.removeEventListener('change', redraw);
      plot.destroy();
    },
  };
}

function dataOf({ since }: Series, { lines }: ChartModel): uPlot.AlignedData {
  const begin = Date.parse(since) / 1_000;
  const count = lines[0]?.values.length ?? 0;
  return [
    Array.from({ length: count }, (_, index) => begin + index * 60),
    ...lines.map(({ values }) => [...values]),
  ];
}

function optionsOf(
  box: HTMLElement,
  { lines, unit }: ChartModel,
  onHover: (index: number | null) => void,
): uPlot.Options {
  // Read at each drawing, so that the colours are those of the theme that is on.
  const colourOf = (name: string) => (): string =>
    getComputedStyle(box.querySelector(`.colour-${name}`) ?? box).color;
  return {
    ...{ width: box.clientWidth || 300, height, padding: [8, 16, 0, 0], legend: { show: false } },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    scales: {
      x: { range: (_, min, max) => [min - 60, max + 60] },
      y: { range: (_, __, max) => [0, niceMax(max, unit)] },
    },
    axes: [
      {
        ...{ stroke: colourOf('axis'), font: axisFont, size: 22, gap: 6, space: 72 },
        ...{ grid: { show: false }, ticks: { show: false } },
        values: (_, splits) => splits.map((at) => hourFormat.format(at * 1_000)),
      },
      {
        ...{ stroke: colourOf('axis'), font: axisFont, size: 46, gap: 4, ticks: { show: false } },
        grid: { stroke: colourOf('grid'), width: 1 },
        splits: (_, __, ___, max) => [0, max / 2, max],
        values: (_, splits) => splits.map((value) => (value === 0 ? '0' : valueText(unit, value))),
      },
    ],
    series: [{}, ...lines.map((line) => seriesOf(line, colourOf(line.colour)))],
    hooks: { setCursor: [({ cursor }) => onHover(cursor.idx ?? null)] },
  };
}

const hourFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

function seriesOf({ name, shape, isSampled = false }: ChartLine, colour: () => string): uPlot.Series {
  const bars = uPlot.paths.bars?.({ size: [0.75, 12] });
  return shape === 'bars'
    ? { label: name, fill: colour, width: 0, points: { show: false }, ...(bars && { paths: bars }) }
    : {
        ...{ label: name, stroke: colour, width: 1.5, spanGaps: isSampled },
        points: { show: true, size: 4, stroke: colour, fill: colour, filter: lonePoints },
      };
}

/** A value without neighbours is no line, so it is drawn as a point. */
function lonePoints(plot: uPlot, line: number): number[] {
  const values = plot.data[line] ?? [];
  return [...values.keys()].filter(
    (index) => values[index] != null && values[index - 1] == null && values[index + 1] == null,
  );
}

/** The top of the axis: a round number whose half is as round. */
function niceMax(max: number, unit: ChartModel['unit']): number {
  if (max <= 0 || Number.isNaN(max)) return unit === 'count' ? 4 : 1;
  const smallest = unit === 'count' ? 4 : 0.1;
  if (max <= smallest) return smallest;
  const power = 10 ** Math.floor(Math.log10(max));
  const step = [1, 2, 4, 6, 10].find((one) => one * power >= max) ?? 10;
  return step * power;
}
