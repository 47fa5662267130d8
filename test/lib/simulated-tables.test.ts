import { describe, expect, it } from 'vitest';
import { expiryAttribute, tables } from '../../tools/simulation/aws/dynamodb/tables.ts';
import { synthesise } from './synthesis.ts';

const { at } = synthesise();

describe.each([
  ['events', 'Tables/Events'],
  ['orders', 'Tables/Orders'],
] as const)('the table %s of the simulation', (name, path) => {
  const { Properties: deployed } = at(path);
  const simulated = tables[name];

  it('has the keys and the indexes of the table that is deployed', () => {
    expect(simulated.KeySchema).toEqual(deployed['KeySchema']);
    expect(simulated.GlobalSecondaryIndexes).toEqual(deployed['GlobalSecondaryIndexes']);
    expect(sorted(simulated.AttributeDefinitions)).toEqual(
      sorted(deployed['AttributeDefinitions'] as Definitions),
    );
  });

  it('expires rows by the same attribute', () => {
    expect(deployed['TimeToLiveSpecification']).toEqual({ AttributeName: expiryAttribute, Enabled: true });
  });
});

type Definitions = readonly { readonly AttributeName: string }[];

const sorted = (definitions: Definitions): Definitions =>
  definitions.toSorted((a, b) => (a.AttributeName < b.AttributeName ? -1 : 1));
