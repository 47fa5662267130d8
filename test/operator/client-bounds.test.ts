import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const repository = join(import.meta.dirname, '../..');

/** The lines of a folder's sources that make a client of AWS. */
function clientsIn(...folder: readonly string[]): readonly string[] {
  const path = join(repository, ...folder);
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts')).map((file) => join(path, file));
  return sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/.*new (\w+Client|DynamoDB)\(.*/g)].map(([line]) => line.trim()),
  );
}

describe('every client of the functions', () => {
  const clients = clientsIn('lambdas', 'aws');

  it('bounds its calls and its attempts', () => {
    expect(clients.length).toBeGreaterThan(5);
    // Its calls are bounded one by one.
    const single = 'const single = new DynamoDBClient({ ...shared, maxAttempts: 1 });';
    for (const line of clients.filter((one) => one !== single))
      expect(line).toMatch(/boundCalls\(new \w+Client\(clientOptions\)\)/);
  });
});

describe('every client of the command line', () => {
  const clients = [...clientsIn('cli'), ...clientsIn('operator')];

  it('bounds its attempts', () => {
    expect(clients.length).toBeGreaterThan(15);
    const ofStack = String.raw`(service|sqs)Options\(.+\)`;
    const options = String.raw`awsClientOptions|\{ \.\.\.awsClientOptions, region \}|${ofStack}`;
    const bounded = new RegExp(String.raw`new \w+\((${options})\)`);
    for (const line of clients) expect(line).toMatch(bounded);
  });
});
