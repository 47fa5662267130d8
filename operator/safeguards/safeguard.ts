import type { Deployed } from '../aws/deployed-resources.ts';
import { absentAt } from '../aws/errors.ts';

/** A call that restores what was deployed. */
export interface Repair {
  /** Such as `enable it`. */
  readonly does: string;
  readonly run: () => Promise<unknown>;
}

/** Something that is not as it was deployed. */
export interface Fault {
  /** Such as `the mapping of the order feed is disabled`. */
  readonly message: string;
  /** `undefined` when no call restores it. */
  readonly repair?: Repair;
  /** What to do where no call restores it. */
  readonly fix?: string;
  /** It ends by itself within a minute. */
  readonly isPassing?: true;
  /** Since when the order feed has read nothing. */
  readonly feedOffSince?: Date;
}

export interface Inspection {
  /** What holds when there is no fault. */
  readonly holds: string;
  readonly faults: readonly Fault[];
}

/** Something that a deployment must have outside its data path. */
export interface Safeguard {
  /** The name of its check. */
  readonly name: string;
  readonly inspect: (deployed: Deployed) => Promise<Inspection>;
}

/** A fault in JSON. */
export const faultDocument = ({ message, repair, fix }: Fault) => ({
  message,
  repair: repair?.does ?? null,
  fix: fix ?? null,
});

/** For `catch`: `undefined` for what was deleted by hand. */
export const deletedByHand = absentAt('ResourceNotFoundException');
