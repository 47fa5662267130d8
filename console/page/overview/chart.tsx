import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Series } from '../../contract/series.ts';
import { type ChartModel, minuteText, tableOf, valueText } from './charts.ts';
import { createPlot, type Plot } from './plot.ts';

interface ChartProps {
  readonly series: Series;
  readonly model: ChartModel;
}

/** A small chart; what it shows is also in words, and in a table for screen readers. */
export function Chart({ series, model }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | undefined>(undefined);
  const titleId = useId();
  const [hovered, setHovered] = useState<number | null>(null);
  const shape = model.lines.map(({ name }) => name).join();
  // The plot is made once for these lines; new numbers are set below.
  useEffect(() => {
    if (box.current === null) return;
    const made = createPlot(box.current, { series, model, onHover: setHovered });
    plot.current = made;
    return () => made.destroy();
  }, [shape]);
  useEffect(() => plot.current?.update(series, model), [series, model]);
  return (
    <figure class="chart" aria-labelledby={titleId}>
      <figcaption class="chart-head">
        <h3 class="chart-title" id={titleId}>
          {model.title}
        </h3>
        <p class="chart-text">
          <strong class="chart-value">{model.value}</strong>{' '}
          {hovered === null ? model.text : hoverText(series, model, hovered)}
        </p>
        {model.lines.length > 1 && <Key model={model} />}
      </figcaption>
      <div class="chart-box" ref={box} aria-hidden="true">
        {['axis', 'grid', ...model.lines.map(({ colour }) => colour)].map((name) => (
          <i key={name} class={`colour-${name}`} />
        ))}
      </div>
      <ChartTable series={series} model={model} />
    </figure>
  );
}

function hoverText(series: Series, { lines, unit }: ChartModel, index: number): string {
  const values = lines.map(({ name, values }) => `${name} ${valueText(unit, values[index])}`);
  return `${minuteText(series, index)}: ${values.join(', ')}`;
}

function Key({ model: { lines } }: { readonly model: ChartModel }) {
  return (
    <ul class="chart-key" aria-hidden="true">
      {lines.map(({ name, colour }) => (
        <li key={name}>
          <i class={`chart-swatch colour-${colour}`} />
          {name}
        </li>
      ))}
    </ul>
  );
}

function ChartTable({ series, model }: ChartProps) {
  const { head, rows, without } = tableOf(series, model);
  return (
    // A table is never smaller than its cells, so its box is what is hidden.
    <div class="visually-hidden">
      <table>
        <caption>
          {model.title}, minute by minute; {without} without a value
        </caption>
        <thead>
          <tr>
            <th scope="col">minute</th>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ minute, cells }) => (
            <tr key={minute}>
              <th scope="row">{minute}</th>
              {cells.map((cell, index) => (
                <td key={head[index]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
