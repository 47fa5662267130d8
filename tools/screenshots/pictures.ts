export interface Picture {
  readonly name: string;
  readonly path: string;
  readonly theme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
  /** In docs/images, because a document shows it: its timeline alone, so that it is legible there. */
  readonly inDocuments?: true;
}

const places = [
  { name: 'overview', path: '/', height: 900 },
  { name: 'order-timeline', path: '/console/orders/order-1042', height: 1000 },
  { name: 'double-charge', path: '/console/orders/order-1044', height: 900 },
  { name: 'conflict', path: '/console/orders/order-1043', height: 1100 },
  { name: 'event', path: '/console/events/evt-1043-paid', height: 1100 },
  { name: 'events', path: '/console/events', height: 900 },
  { name: 'orders', path: '/console/orders', height: 900 },
  { name: 'waiting-room', path: '/console/waiting', height: 1000 },
  { name: 'alarms', path: '/console/alarms', height: 900 },
  { name: 'laboratory', path: '/console/laboratory', height: 1000 },
] as const;

/** What README.md shows. */
const inDocuments: readonly string[] = ['order-timeline-light', 'order-timeline-dark'];

/** Each page in both themes, and on a phone. */
export const pictures: readonly Picture[] = places.flatMap(({ name, path, height }) => [
  picture(`${name}-light`, { path, theme: 'light', width: 1180, height }),
  picture(`${name}-dark`, { path, theme: 'dark', width: 1180, height }),
  picture(`${name}-phone`, { path, theme: 'light', width: 390, height: 844 }),
]);

function picture(name: string, view: Omit<Picture, 'name'>): Picture {
  return { name, ...view, ...(inDocuments.includes(name) && { width: 1080, inDocuments: true }) };
}
