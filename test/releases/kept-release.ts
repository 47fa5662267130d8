import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** DynamoDB JSON as text files hold it: binary attributes in base64. */
export type StoredItem = Readonly<Record<string, StoredValue>>;

export interface StoredValue {
  readonly S?: string;
  readonly N?: string;
  readonly SS?: readonly string[];
  readonly B?: string;
}

export interface StoredRows {
  readonly events: readonly StoredItem[];
  readonly orders: readonly StoredItem[];
}

/** What the order query of the release said about its rows. */
export interface StoredAnswer {
  readonly path: string;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface StoredAnswers {
  /** When it was asked; cursors know it. */
  readonly asked_at: string;
  readonly answers: readonly StoredAnswer[];
}

export interface StoredTemplate {
  readonly Resources: Readonly<Record<string, { readonly Type: string }>>;
  readonly Outputs: Readonly<Record<string, { readonly Value: unknown }>>;
}

/** A release as `keep.ts` left it. */
export interface KeptRelease {
  readonly version: string;
  readonly templateFile: string;
  readonly template: StoredTemplate;
  readonly rows: StoredRows;
  readonly answers: StoredAnswers;
}

/**
 * The settings of every kept template: those of the deployment test where data is kept, as in production, and
 * all that there is gets deployed. A release that does not know one of them ignores it.
 */
export const keptSettings = {
  environmentName: 'ministack',
  keepData: true,
  consumerConcurrencyMax: 4,
  // Nobody listens there.
  paymentServiceBaseUrl: 'https://localhost:9',
  paymentServiceAuthentication: 'oauth',
} as const;

/** Every kept release, oldest first. */
export function keptReleases(): KeptRelease[] {
  return readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .map((version) => {
      const folder = join(import.meta.dirname, version);
      const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
      return {
        version,
        templateFile: join(folder, 'template.json'),
        template: read('template.json'),
        rows: read('rows.json'),
        answers: read('answers.json'),
      };
    });
}

/** The one that an upgrade comes from. */
export function latestRelease(): KeptRelease {
  const release = keptReleases().at(-1);
  if (release === undefined) throw new Error('test/releases keeps no release; see docs/deploy-test.md.');
  return release;
}

/** An item as the SDK takes it. */
export function toItem(stored: StoredItem): Record<string, AttributeValue> {
  return mapValues(stored, (value) =>
    value.B === undefined ? (value as AttributeValue) : { B: Buffer.from(value.B, 'base64') },
  );
}

/** An item as a text file holds it. */
export function toStored(item: Readonly<Record<string, AttributeValue>>): StoredItem {
  return mapValues(item, (value) =>
    value.B === undefined ? (value as StoredValue) : { B: Buffer.from(value.B).toString('base64') },
  );
}

function mapValues<From, To>(
  from: Readonly<Record<string, From>>,
  map: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, map(value)]));
}
