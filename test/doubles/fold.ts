import { createMeaningOf } from '../../lambdas/domain/assumptions.ts';
import { foldOrder, type OrderState } from '../../lambdas/domain/fold-order.ts';

/** The built-in meanings, which a stack without the setting `eventMeanings` has. */
export const meaningOf = createMeaningOf();

export const fold = (facts: Iterable<string>): OrderState => foldOrder(facts, meaningOf);
