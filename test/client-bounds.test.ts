import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

describe('every client of the functions', () => {
  const folder = join(import.meta.dirname, '..', 'lambdas', 'aws');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const clients = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/.*new \w+Client\(.*/g)].map(([line]) =>
        line.trim(),
      ),
    );

  it('bounds its calls and its attempts', () => {
    expect(clients.length).toBeGreaterThan(5);
    // Its calls are bounded one by one.
    const single = 'const single = new DynamoDBClient({';
    for (const line of clients.filter((one) => one !== single))
      expect(line).toMatch(/boundCalls\(new \w+Client\(clientOptions\)\)/);
  });
});
