import { describe, expect, it } from 'vitest';
import { bodyFacts, refusalFacts } from './body-facts.ts';
import { conflictFacts, hotOrderFacts, modeFacts, paymentFacts } from './order-facts.ts';
import type { AcceptanceTarget } from './target.ts';

/** States one fact about a pipeline, by a name that says what is true. */
export type StateFact = (name: string, prove: (pipeline: AcceptanceTarget) => Promise<void>) => void;

export interface Acceptance {
  readonly target: () => AcceptanceTarget;
  /**
   * The facts, by section and name, that do not hold where the pipeline runs. They are proven not to hold: when
   * one does, its entry has to go.
   */
  readonly broken?: readonly string[];
  /** What the broken facts are asked of; one that waits less, since it waits in vain. */
  readonly impatientTarget?: () => AcceptanceTarget;
}

const sections: readonly [string, (fact: StateFact) => void][] = [
  ['a signed payment', paymentFacts],
  ['a signature that is not right', refusalFacts],
  ['a body', bodyFacts],
  ['live and sandbox', modeFacts],
  ['two bodies under one event id', conflictFacts],
  ['one hot order', hotOrderFacts],
];

/** The acceptance suite: the same facts of every pipeline, wherever it runs. */
export function proveAcceptance({ target, broken = [], impatientTarget = target }: Acceptance): void {
  const stated = new Set<string>();
  for (const [section, state] of sections) {
    describe(section, () => {
      state((name, prove) => {
        const fact = `${section} ${name}`;
        stated.add(fact);
        if (broken.includes(fact)) it.fails(name, () => prove(impatientTarget()));
        else it(name, () => prove(target()));
      });
    });
  }
  it('breaks no fact that nobody states', () => {
    expect(broken.filter((fact) => !stated.has(fact))).toEqual([]);
  });
}
