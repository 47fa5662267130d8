import type { Drill } from '../drill.ts';
import { wrongClientAuthority } from './client-authority.ts';
import { conflict, forgedFlood, refundWithoutAnOrder } from './doubtful-events.ts';
import { revokedKey } from './encryption.ts';
import { malformedSecret, rotatedKey } from './keys.ts';
import { deletedRegistration, silence, spentToken } from './payment-service.ts';
import { deletedLogGroup, disabledFeed } from './safeguards.ts';
import { databaseDown, poisonMessage, queueRefuses, stoppedFeed } from './storage.ts';
import { deletedTable, restoredTable } from './tables.ts';

/** In the order in which they run, on one pipeline. */
export const drills: readonly Drill[] = [
  malformedSecret,
  rotatedKey,
  forgedFlood,
  queueRefuses,
  databaseDown,
  revokedKey,
  poisonMessage,
  stoppedFeed,
  disabledFeed,
  deletedLogGroup,
  wrongClientAuthority,
  deletedRegistration,
  spentToken,
  conflict,
  refundWithoutAnOrder,
  deletedTable,
  restoredTable,
  // Last: it needs hours without a webhook.
  silence,
];
