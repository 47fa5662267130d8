import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openapiTypes } from '../generate-types.ts';

it('src/openapi-types.ts is what `npm run openapi` writes', async () => {
  const types = readFileSync(join(import.meta.dirname, '..', 'src', 'openapi-types.ts'), 'utf8');
  expect(types).toBe(await openapiTypes());
});
