import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settings } from './assumed.ts';

const read = (name: string): string =>
  readFileSync(join(import.meta.dirname, '..', '..', 'docs', `${name}.md`), 'utf8');

describe('the settings of the stack that the cost model counts', () => {
  it('are those that the deployment guide gives a new stack', () => {
    expect(settings).toEqual({ keepData: true, compactRows: true });
    expect(read('deploy')).toContain('    "compactRows": true\n');
  });

  it.each(['cost', 'scale'])('are named by docs/%s.md before its first table, with the default', (name) => {
    const [introduction] = read(name).split('<!-- measured');
    expect(introduction).toContain('"compactRows": true');
    expect(introduction).toContain('off by default');
  });
});
