import type { ActName, approvalNames } from '../contract/act-names.ts';
import type { Mode } from '../domain/signature.ts';

/** What an operator decided: who, when and why. */
export interface Decision {
  /** The IAM identity. */
  readonly by: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly reason: string;
}

/** The decision about a row that waited. */
export interface Judgement extends Decision {
  readonly verdict: 'admitted' | 'dismissed';
  /** The order that an admitted event was given. */
  readonly orderId?: string;
  /** When an event was admitted that has been dismissed since: it still counts as soon as it has an order. */
  readonly admittedAt?: string;
}

/** What an operator did, to which subject. */
export interface Act extends Decision {
  readonly act: ActName | (typeof approvalNames)[number];
  readonly eventId?: string;
  readonly orderId?: string;
  readonly bodySha256?: string;
  readonly eventName?: string;
  /** What a resolution is about; a set. */
  readonly attention?: readonly string[];
  /** What was proposed, approved or rejected. */
  readonly proposal?: ProposalOrigin;
}

export interface ProposalOrigin extends Decision {
  readonly id: string;
  readonly act: ActName;
}

/** An act that needs two people. It is as it was proposed, except for what has become of it. */
export interface Proposal extends ProposalOrigin {
  readonly mode: Mode;
  /** The fields of the request as they were read. */
  readonly request: Readonly<Record<string, unknown>>;
  /** With which meanings it was planned. */
  readonly meaningsId: string;
  readonly planSha256: string;
  /** The plan is that of all of it, and not of its first page. */
  readonly isWhole: boolean;
  /** What it would do, as responses show it: the first changes. */
  readonly shown: {
    readonly events: readonly object[];
    readonly orders: readonly object[];
    readonly more: boolean;
  };
  /** Until it was approved or rejected; an act in pages also until the last of them. */
  readonly waits: boolean;
  readonly approved?: Decision;
  readonly rejected?: Decision;
}

export interface ProposalReader {
  /** By its key; consistent. `undefined` also for a row that was damaged. */
  proposal(key: string): Promise<Proposal | undefined>;
}

export interface ActReader {
  /** The latest `actsReadMax` acts on one partition, or all of them, oldest first. */
  actsOf(partition: string, options?: { readonly isComplete: boolean }): Promise<readonly Act[]>;
}
