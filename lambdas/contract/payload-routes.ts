/**
 * The routes that return payloads, and with them customer data. Access logs name the route of each request,
 * so this list separates who read customer data from who only read ids and amounts.
 */
export const payloadRoutes = [
  'GET /events/{event_id}',
  'GET /operations/bodies/events/{event_id}',
  'GET /operations/bodies/{body_sha256}',
] as const;
