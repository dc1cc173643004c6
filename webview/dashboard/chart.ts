/**
 * Charts as SVG in the theme's colours: stacked columns for each day, and a line over them. Scales and stacks come from
 * d3; every chart has a table with the same figures.
 */
import { nice, ticks } from 'd3-array';
import { scaleBand } from 'd3-scale';
import { line, stack } from 'd3-shape';
import { html, nothing, svg } from 'lit';
import type { TemplateResult } from 'lit';
import { locale, shownNumber, t } from '../shared/strings.ts';

export interface Series {
  readonly name: string;
  readonly values: readonly number[];
  /** A class that gives the colour, and in the legend a mark. */
  readonly look: string;
}

export interface ChartOptions {
  /** A sentence that describes the chart. */
  readonly label: string;
  /** YYYY-MM-DD. */
  readonly days: readonly string[];
  readonly columns: readonly Series[];
  readonly over?: Series;
}

const size = { width: 640, height: 200, left: 34, right: 8, top: 8, bottom: 24 };

export function chart({ label, days, columns, over }: ChartOptions): TemplateResult {
  const stacked = stack<string>()
    .keys(columns.map((_, index) => String(index)))
    .value((day, key) => columns[Number(key)]?.values[days.indexOf(day)] ?? 0)(days);
  const highest = Math.max(1, ...stacked.flat().map(([, top]) => top), ...(over?.values ?? []));
  const x = scaleBand()
    .domain(days)
    .range([size.left, size.width - size.right])
    .padding(0.25);
  // d3's own linear scale would bring its interpolation of colours and its formats of numbers.
  const [, top] = nice(0, highest, 4);
  const bottom = size.height - size.bottom;
  const y = (value: number) => bottom - (value / top) * (bottom - size.top);
  const path = line<number>()
    .x((_, index) => (x(days[index] ?? '') ?? 0) + x.bandwidth() / 2)
    .y((value) => y(value));
  return html`<figure class="chart scroll-x" tabindex="0">
    <svg viewBox=${`0 0 ${size.width} ${size.height}`} role="img" aria-label=${label}>
      ${ticks(0, top, 4)
        .filter(Number.isInteger)
        .map(
          (tick) =>
            svg`<line class="grid" x1=${size.left} x2=${size.width - size.right} y1=${y(tick)} y2=${y(tick)}></line>
            <text class="tick" x=${size.left - 6} y=${y(tick)} dy="0.32em" text-anchor="end">${shownNumber(tick)}</text>`,
        )}
      ${days.map((day, index) =>
        (days.length - 1 - index) % every(days.length) === 0
          ? svg`<text class="tick ${index === days.length - 1 ? 'tick-today' : ''}" x=${(x(day) ?? 0) + x.bandwidth() / 2} y=${size.height - 8} text-anchor="middle">${index === days.length - 1 ? t('Today') : shortDay(day)}</text>`
          : nothing,
      )}
      ${stacked.map((series, index) =>
        series.map(([from, to], at) =>
          to === from
            ? nothing
            : svg`<rect class="bar-${columns[index]?.look ?? ''}" x=${x(days[at] ?? '') ?? 0} y=${y(to)} width=${x.bandwidth()} height=${y(from) - y(to)}><title>${`${longDay(days[at] ?? '')}: ${columns[index]?.name ?? ''} ${shownNumber(to - from)}`}</title></rect>`,
        ),
      )}
      ${over ? svg`<path class="halo" d=${path([...over.values]) ?? ''}></path>` : nothing}
      ${over ? svg`<path class="line-${over.look}" d=${path([...over.values]) ?? ''}></path>` : nothing}
    </svg>
    <figcaption class="legend">
      ${columns.map(({ name, look }) => html`<span><span class="swatch swatch-${look}" aria-hidden="true"></span>${name}</span>`)}
      ${over ? html`<span><span class="swatch swatch-line swatch-${over.look}" aria-hidden="true"></span>${over.name}</span>` : nothing}
    </figcaption>
  </figure>`;
}

/** Labels that fit: at most about eight. */
function every(days: number): number {
  return Math.max(1, Math.ceil(days / 8));
}

/** Noon UTC falls on the same day in every time zone. */
function dated(day: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locale(), { ...options, timeZone: 'UTC' }).format(new Date(`${day}T12:00:00Z`));
}

function shortDay(day: string): string {
  return dated(day, { day: 'numeric', month: 'short' });
}

export function longDay(day: string): string {
  return dated(day, { dateStyle: 'medium' });
}
