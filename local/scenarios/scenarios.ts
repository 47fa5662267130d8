import { faultScenarios } from './faults.ts';
import { malformedSecret, revokedKey, rotatedKey } from './keys.ts';
import { moneyScenarios } from './money.ts';
import { deletedRegistration, silence, spentToken } from './payment-service.ts';
import type { Scenario } from './scenario.ts';
import { deletedTable } from './tables.ts';
import { wrongInputScenarios } from './wrong-input.ts';

/** In the order in which drills run, on one pipeline. */
export const scenarios: readonly Scenario[] = [
  ...moneyScenarios,
  // The first drill needs a verifier that has not read the keys.
  ...[malformedSecret, rotatedKey, revokedKey],
  ...faultScenarios,
  ...wrongInputScenarios,
  ...[deletedRegistration, spentToken, deletedTable],
  // Last: it needs hours without a webhook.
  silence,
];
