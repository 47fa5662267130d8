import type { TableDescription } from '@aws-sdk/client-dynamodb';
import { eventAttributes, orderAttributes } from '../../lambdas/contract/schema.ts';
import type { Tables } from './tables.ts';

/** What a table has in addition to its rows and indexes. */
export interface TableFeatures {
  readonly isProtected: boolean;
  readonly isRecoverable: boolean;
  readonly hasStream: boolean;
  /** The attribute by which rows expire. */
  readonly expiryAttribute?: string | undefined;
}

const kept = { isProtected: true, isRecoverable: true };

/** The tables of a stack that keeps its data. */
export const featuresOf = {
  events: { ...kept, hasStream: false, expiryAttribute: eventAttributes.expiresAt },
  orders: { ...kept, hasStream: true, expiryAttribute: orderAttributes.expiresAt },
} as const satisfies Readonly<Record<string, TableFeatures>>;

export interface MissingFeature {
  readonly feature: string;
  /** Such as `the table Orders is not protected from deletion`. */
  readonly message: string;
  /** Such as `protect it`. */
  readonly does: string;
  readonly add: () => Promise<unknown>;
}

/** What a table lacks. */
export async function missingFeatures(
  tables: Tables,
  { TableName: name = '', ...table }: TableDescription,
  { isProtected, isRecoverable, hasStream, expiryAttribute }: TableFeatures,
): Promise<readonly MissingFeature[]> {
  const missing: (MissingFeature | false)[] = [
    hasStream &&
      !(table.StreamSpecification?.StreamEnabled && table.LatestStreamArn) && {
        feature: 'stream',
        message: `the table ${name} has no stream, so the order feed publishes nothing`,
        does: 'add one',
        add: () => tables.update.stream(name),
      },
    isProtected &&
      !table.DeletionProtectionEnabled && {
        feature: 'deletion protection',
        message: `the table ${name} is not protected from deletion`,
        does: 'protect it',
        add: () => tables.update.protection(name),
      },
    isRecoverable &&
      !(await tables.recovery(name)).isOn && {
        feature: 'point-in-time recovery',
        message: `the table ${name} has no point-in-time recovery`,
        does: 'switch it on; a restore can go back to that moment and no further',
        add: () => tables.update.recovery(name),
      },
    expiryAttribute !== undefined &&
      (await tables.expiry(name)) === undefined && {
        feature: 'expiry',
        message: `rows of the table ${name} do not expire`,
        does: `expire rows by ${expiryAttribute}`,
        add: () => tables.update.expiry(name, expiryAttribute),
      },
  ];
  return missing.filter((one) => one !== false);
}
