import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentText, typesText } from './written.ts';

const root = join(import.meta.dirname, '..', '..');
writeFileSync(join(root, 'docs', 'openapi.json'), documentText());
writeFileSync(join(root, 'packages', 'order-client', 'src', 'openapi-types.ts'), await typesText());
