import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { costTables } from './cost-tables.ts';
import { fill } from './markdown.ts';
import type { Measurement } from './measurement.ts';
import { scaleTables } from './scale-tables.ts';

const docs = join(import.meta.dirname, '..', '..', 'docs');

export type DocumentName = 'cost' | 'scale';
export const documentNames: readonly DocumentName[] = ['cost', 'scale'];

/** The tables of a document, by the name that stands before their place. */
export function tablesOf(name: DocumentName, measured: Measurement): Readonly<Record<string, string>> {
  return name === 'cost' ? costTables(measured) : scaleTables(measured);
}

export const readDocument = (name: DocumentName): string => readFileSync(join(docs, `${name}.md`), 'utf8');

/** The document as it would be with these measurements. */
export const filledDocument = (name: DocumentName, measured: Measurement): string =>
  fill(readDocument(name), tablesOf(name, measured));

export function writeDocument(name: DocumentName, measured: Measurement): void {
  writeFileSync(join(docs, `${name}.md`), filledDocument(name, measured));
}
