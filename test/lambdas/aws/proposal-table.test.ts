import { expect, it } from 'vitest';
import { proposalKey } from '../../../lambdas/contract/schema.ts';
import type { Proposal } from '../../../lambdas/ports/acts.ts';
import { decision, describeBoth, later } from '../../doubles/both-tables.ts';

const proposed: Omit<Proposal, 'id'> = {
  ...{ mode: 'live', act: 'admit', ...decision, request: { event_id: 'evt', publish: false } },
  ...{ meaningsId: 'built-in', planSha256: 'ab', isWhole: true, waits: true },
  shown: { events: [{ event_id: 'evt' }], orders: [], more: false },
};
const approved = { by: 'arn:aws:iam::1:user/bob', at: later, reason: 'I agree' };

describeBoth('a proposal', (open) => {
  it('is stored, approved and ended once each', async () => {
    const { ports, id, commit } = open();
    const first: Proposal = { ...proposed, id };
    const running: Proposal = { ...first, approved };
    const rejected: Proposal = { ...first, rejected: decision, waits: false };
    const steps: readonly (readonly [Proposal | undefined, Proposal])[] = [
      [undefined, first],
      [first, running],
      [running, { ...running, waits: false }],
    ];
    for (const [before, after] of steps) {
      const change = { proposals: [{ before, after }] };
      expect(await commit(change)).toEqual({ kind: 'committed' });
      expect(await ports.proposals.proposal(proposalKey('live', id))).toEqual(after);
      expect(await commit(change)).toEqual({ kind: 'changed' });
      if (before === first)
        expect(await commit({ proposals: [{ before, after: rejected }] })).toEqual({ kind: 'changed' });
    }
    expect(await ports.proposals.proposal(proposalKey('sandbox', id))).toBeUndefined();
  });
});
