import type { TableDescription, Tag } from '@aws-sdk/client-dynamodb';
import type { Tables } from '../../operator/aws/tables.ts';
import type { TableKind } from './plan.ts';

/** A setting that a restored table lacks. */
export interface Missing {
  readonly feature: string;
  readonly add: () => Promise<unknown>;
}

/** What the tables of a stack have in common. */
export interface Wanted {
  readonly tags: readonly Tag[];
  /** The resource policy, in JSON. */
  readonly policy: string | undefined;
}

/**
 * What a restored table lacks of the settings that the tables of a stack have, in the order to set them:
 * those that a stack changes later come first, so that the others show whether a restore was ended.
 */
export async function missingFeatures(
  tables: Tables,
  { TableName = '', TableArn = '', ...table }: TableDescription,
  { kind, wanted: { tags, policy } }: { readonly kind: TableKind; readonly wanted: Wanted },
): Promise<readonly Missing[]> {
  const { expiry } = kind;
  const present = await tables.tags(TableArn);
  const absent = tags.filter(
    ({ Key, Value }) => !present.some((tag) => tag.Key === Key && tag.Value === Value),
  );
  const missing: (Missing | false)[] = [
    absent.length > 0 && { feature: 'tags', add: () => tables.update.tags(TableArn, absent) },
    policy !== undefined &&
      (await tables.policy(TableArn)) === undefined && {
        feature: 'resource policy',
        add: () => tables.update.policy(TableArn, policy),
      },
    kind.hasStream &&
      table.LatestStreamArn === undefined && {
        feature: 'stream',
        add: () => tables.update.stream(TableName),
      },
    table.DeletionProtectionEnabled !== true && {
      feature: 'deletion protection',
      add: () => tables.update.protection(TableName),
    },
    !(await tables.recovers(TableName)) && {
      feature: 'point-in-time recovery',
      add: () => tables.update.recovery(TableName),
    },
    (await tables.expiry(TableName)) !== expiry && {
      feature: 'expiry',
      add: () => tables.update.expiry(TableName, expiry),
    },
  ];
  return missing.filter((one) => one !== false);
}
