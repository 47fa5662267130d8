/** Drawn on a grid of 16, in lines of 1.5. */
const paths = {
  overview: 'M2.5 13.5v-4M6.2 13.5v-8M9.8 13.5v-5M13.5 13.5v-11',
  events: 'M2 4h2.5M2 8h2.5M2 12h2.5M7 4h7M7 8h7M7 12h7',
  orders: 'M3.5 2h9v12l-2.2-1.4L8 14l-2.3-1.4L3.5 14zM6 5.5h4M6 8.5h4',
  transaction: 'M2 5.5h11M10.5 3 13 5.5 10.5 8M14 10.5H3M5.5 8 3 10.5 5.5 13',
  waiting: 'M4 2h8M4 14h8M5 2v2.5L8 8l3-3.5V2M5 14v-2.5L8 8l3 3.5V14',
  alarms: 'M8 2a4 4 0 0 0-4 4v3l-1.5 2.5h11L12 9V6a4 4 0 0 0-4-4zM6.5 13.5h3',
  laboratory: 'M6 2h4M6.8 2v4.2L3 12.6A1 1 0 0 0 3.9 14h8.2a1 1 0 0 0 .9-1.4L9.2 6.2V2M4.8 10h6.4',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.4 10.4 14 14',
  copy: 'M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1',
  check: 'M3 8.5 6.5 12 13 4.5',
  alert: 'M8 2.2 14.4 13.5H1.6zM8 6.5v3.2M8 11.6v.2',
  cross: 'M4 4l8 8M12 4l-8 8',
  circle: 'M8 3.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9z',
  clock: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 4.8V8l2.2 1.6',
  return: 'M6 3 2.5 6.5 6 10M2.5 6.5H10a3.5 3.5 0 0 1 0 7H7',
  half: 'M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11',
  arrow: 'M3 8h10M9.5 4.5 13 8l-3.5 3.5',
  left: 'M10 3.5 5.5 8l4.5 4.5',
  right: 'M6 3.5 10.5 8 6 12.5',
  down: 'M3.5 6 8 10.5 12.5 6',
  up: 'M8 13V3M4.5 6.5 8 3l3.5 3.5',
  refresh: 'M13.5 8a5.5 5.5 0 1 1-1.7-4M13.5 2v3h-3',
  sun:
    'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.2v1.4M8 13.4v1.4M1.2 8h1.4M13.4 8h1.4' +
    'M3.2 3.2l1 1M11.8 11.8l1 1M12.8 3.2l-1 1M4.2 11.8l-1 1',
  moon: 'M13.2 9.8A5.6 5.6 0 0 1 6.2 2.8a5.6 5.6 0 1 0 7 7z',
  auto: 'M2.5 3h11v7.5h-11zM6 13.5h4M8 10.5v3',
  eye:
    'M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8z' +
    'M8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6z',
  hidden:
    'M3 3l10 10M6.3 4.1A6.3 6.3 0 0 1 8 3.8c4 0 6.5 4.2 6.5 4.2a11 11 0 0 1-2 2.4' +
    'M9.7 11.9a6 6 0 0 1-1.7.3C4 12.2 1.5 8 1.5 8a11 11 0 0 1 2.2-2.6',
  key: 'M10.5 2.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8.4 7.6 2.5 13.5M4.5 11.5 6 13',
  lock: 'M3.5 7h9v6.5h-9zM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
  play: 'M5 3.2 12.5 8 5 12.8z',
  stop: 'M4 4h8v8H4z',
  info: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 7.3v3.5M8 5.1v.2',
  refused: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM3.8 3.8l8.4 8.4',
  external: 'M9 2.5h4.5V7M13.5 2.5 7.5 8.5M11.5 9.5v4h-9v-9h4',
  filter: 'M2 3.5h12L9.5 8.7v4.8l-3-1.5V8.7z',
  send: 'M14 2 2 7l5 2 2 5zM14 2 7 9',
  person: 'M8 2.2a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2zM2.8 14a5.2 5.2 0 0 1 10.4 0',
  terminal: 'M2 3h12v10H2zM4.5 6l2 2-2 2M8.5 10.5h3',
} as const;

export type IconName = keyof typeof paths;

/** Decoration: the words next to it carry the meaning. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

/** The mark of payhooks: a hook that holds a coin. */
export function Mark({ size = 24 }: { readonly size?: number }) {
  return (
    <svg class="mark" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <rect class="mark-ground" width="24" height="24" rx="6" />
      <path class="mark-hook" d="M9 5v8.5a4 4 0 0 0 8 0V12" />
      <circle class="mark-coin" cx="17" cy="8" r="2" />
    </svg>
  );
}
