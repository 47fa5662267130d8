import * as v from 'valibot';
import { actNames } from '../contract/act-names.ts';
import { eventRecord, eventAttributes as names, proposalKey, waitingPartition } from '../contract/schema.ts';
import type { Proposal, ProposalReader } from '../ports/acts.ts';
import { attributesOf, defined, fieldsOf, itemKeyOf, keyOf, type Values } from './items.ts';
import { getItem, type Table } from './table.ts';

/** Reads the acts that were proposed in the table `events`; `commit` stores them. */
export function createProposalTable(table: Table): ProposalReader {
  return {
    async proposal(key) {
      const { proposal, waiting, ...ended } = fieldsOf(
        await getItem(table, itemKeyOf(key, eventRecord.proposal)),
      );
      const { success, output } = v.safeParse(rowFormat, { ...ended, proposal });
      if (!success) return undefined;
      const { approved, rejected } = output;
      return defined<Proposal>({
        ...(output.proposal as Omit<Proposal, 'waits'>),
        ...{ approved, rejected, waits: waiting !== undefined },
      });
    },
  };
}

/** What was proposed is one text: nothing but its end changes, and nothing searches in it. */
export function proposalValues({ waits, approved, rejected, ...proposal }: Proposal): Values {
  const { mode, id, at } = proposal;
  return {
    ...keyOf(proposalKey(mode, id), eventRecord.proposal),
    ...attributesOf({ approved, rejected }),
    [names.waiting]: waits ? waitingPartition(mode, 'approval') : undefined,
    [names.recordedAt]: at,
    proposal: JSON.stringify(proposal),
  };
}

const text = v.string();
const decision = { by: text, at: text, reason: text };
const rowFormat = v.object({
  approved: v.optional(v.object(decision)),
  rejected: v.optional(v.object(decision)),
  proposal: v.pipe(
    text,
    v.parseJson(),
    v.looseObject({
      ...{ id: text, act: v.picklist(actNames), ...decision, mode: v.picklist(['live', 'sandbox']) },
      ...{ request: v.looseObject({}), meaningsId: text, planSha256: text, isWhole: v.boolean() },
      shown: v.object({ events: v.array(v.any()), orders: v.array(v.any()), more: v.boolean() }),
    }),
  ),
});
