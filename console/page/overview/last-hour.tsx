import type { Series } from '../../contract/series.ts';
import { chartsOf } from './charts.ts';

const height = 32;

/** Small charts; the words beside each say what it shows. */
export function LastHour({ series }: { readonly series: Series }) {
  return (
    <div class="tiles">
      {chartsOf(series).map(({ title, value, text, bars, tone }) => {
        const highest = Math.max(1, ...bars.map((bar) => bar ?? 0));
        const path = bars
          .map((bar, minute) => `M${minute} ${height}v${(-height * (bar ?? 0)) / highest}h.8V${height}z`)
          .join('');
        return (
          <figure key={title} class="stack tight chart">
            <figcaption>
              <span class="small muted">{title}</span>
              <p class="small faint">
                <strong class="chart-value">{value}</strong> {text}
              </p>
            </figcaption>
            <svg class={tone} viewBox={`0 0 60 ${height}`} preserveAspectRatio="none" aria-hidden="true">
              <path d={path} />
            </svg>
          </figure>
        );
      })}
    </div>
  );
}
