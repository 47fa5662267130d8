/** From docs/cost.md. */
export const idleCost =
  'Cost at list prices of us-east-1, with the default settings: $4.51 a month while idle, and $7.41 for ' +
  'each million paid events.';
