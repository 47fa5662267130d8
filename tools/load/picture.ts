import type { Point } from './timeline.ts';

const width = 820;
const panelHeight = 130;
const gap = 46;
const [left, right, top, bottom] = [64, 20, 40, 44];
const plotWidth = width - left - right;

interface Panel {
  readonly title: string;
  readonly read: (point: Point) => number | undefined;
}

const panels: readonly Panel[] = [
  { title: 'acknowledged webhooks per second', read: (point) => point.acknowledgedPerSecond },
  { title: 'latency in milliseconds, 99th percentile', read: (point) => point.p99 },
  {
    title: 'memory of local mode in MB',
    read: ({ memoryBytes }) => (memoryBytes === undefined ? undefined : memoryBytes / 1e6),
  },
];

const style = `
  .page { fill: #ffffff; stroke: #d0d7de }
  text { fill: #424a53; font: 12px system-ui, sans-serif }
  .title { fill: #1f2328; font-weight: 600 }
  .grid { stroke: #d8dee4 }
  .end { stroke: #6e7781; stroke-dasharray: 4 3 }
  .curve { fill: none; stroke: #0969da; stroke-width: 1.8 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117; stroke: #444c56 }
    text { fill: #b3bcc6 }
    .title { fill: #e6edf3 }
    .grid { stroke: #30363d }
    .end { stroke: #8b949e }
    .curve { stroke: #79c0ff }
  }`;

interface Scale {
  readonly x: (seconds: number) => number;
  /** The upper edge of the panel. */
  readonly y: number;
}

/** Throughput, latency and memory over time as an SVG image, light or dark like the page that shows it. */
export function pictureOf(points: readonly Point[], loadSeconds: number): string {
  const height = top + panels.length * panelHeight + (panels.length - 1) * gap + bottom;
  const seconds = Math.max(loadSeconds, points.at(-1)?.at ?? 0);
  const x = (at: number): number => left + (at / seconds) * plotWidth;
  const load = `${loadSeconds.toFixed(0)} seconds`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>Local mode under load for ${load}: webhooks per second, latency and memory</title>`,
    `<style>${style}\n</style>`,
    `<rect class="page" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    ...panels.flatMap((panel, index) =>
      drawPanel(panel, points, { x, y: top + index * (panelHeight + gap) }),
    ),
    ...timeAxis(seconds, x, height - bottom),
    line('end', [x(loadSeconds), top], [x(loadSeconds), height - bottom]),
    '</svg>\n',
  ].join('\n');
}

function drawPanel({ title, read }: Panel, points: readonly Point[], { x, y }: Scale): string[] {
  const shown = points.flatMap((point) => {
    const value = read(point);
    return value === undefined ? [] : [{ at: point.at, value }];
  });
  const ticks = ticksUpTo(Math.max(0, ...shown.map(({ value }) => value)), 4);
  const most = ticks.at(-1) ?? 1;
  const heightOf = (value: number): number => y + panelHeight - (value / most) * panelHeight;
  const curve = shown.map(({ at, value }) => `${one(x(at))},${one(heightOf(value))}`).join(' ');
  return [
    `<text class="title" x="${left}" y="${y - 12}">${title}</text>`,
    ...ticks.flatMap((tick) => [
      line('grid', [left, heightOf(tick)], [width - right, heightOf(tick)]),
      `<text x="${left - 8}" y="${one(heightOf(tick) + 4)}" text-anchor="end">${tick}</text>`,
    ]),
    `<polyline class="curve" points="${curve}"/>`,
  ];
}

const timeTitle = 'seconds; the load ends at the dashed line';

function timeAxis(seconds: number, x: Scale['x'], y: number): string[] {
  const inside = ticksUpTo(seconds, 10).filter((tick) => tick <= seconds);
  return [
    ...inside.map((tick) => `<text x="${one(x(tick))}" y="${y + 18}" text-anchor="middle">${tick}</text>`),
    `<text x="${width - right}" y="${y + 36}" text-anchor="end">${timeTitle}</text>`,
  ];
}

/** From 0 in steps of 1, 2 or 5 times a power of ten, until the value is reached. */
export function ticksUpTo(value: number, steps: number): number[] {
  const least = Math.max(value / steps, 1);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power;
  return Array.from({ length: Math.max(1, Math.ceil(value / step)) + 1 }, (_, index) => index * step);
}

function line(
  name: string,
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
): string {
  return `<line class="${name}" x1="${one(x1)}" y1="${one(y1)}" x2="${one(x2)}" y2="${one(y2)}"/>`;
}

const one = (value: number): string => value.toFixed(1);
