/** Why a row waits. `order_refused`: its order is full · `event_name`: the name has no meaning. */
export const waitingKinds = [
  'unassigned',
  'quarantined',
  'order_refused',
  'conflict',
  'unrecognised',
  'event_name',
] as const;
export type WaitingKind = (typeof waitingKinds)[number];
