import type { History } from '../history.ts';
import { gatherEvidence } from './evidence.ts';
import { feedViolations } from './feed-rules.ts';
import { operatorViolations } from './operator-rules.ts';
import { listViolations, orderViolations, outcomeViolations } from './order-rules.ts';
import { recordViolations } from './record-rules.ts';
import { responseViolations } from './response-rules.ts';
import { retentionViolations } from './retention-rules.ts';
import type { Violation } from './violation.ts';
import { drainViolations, waitingViolations } from './waiting-rules.ts';

/**
 * Judges what a run left behind, without any code of the product; empty when nothing is wrong. The most
 * telling come first: what is lost or invented, before what follows from it.
 */
export function check(history: History): readonly Violation[] {
  const evidence = gatherEvidence(history);
  return [
    recordViolations,
    responseViolations,
    orderViolations,
    outcomeViolations,
    listViolations,
    feedViolations,
    waitingViolations,
    drainViolations,
    retentionViolations,
    operatorViolations,
  ].flatMap((judge) => judge(evidence));
}
