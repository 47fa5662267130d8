import { createMeaningOf } from '../../lambdas/domain/assumptions.ts';

export { foldOrder as fold } from '../../lambdas/domain/fold-order.ts';

/** The built-in meanings, which a stack without the setting `eventMeanings` has. */
export const meaningOf = createMeaningOf();
