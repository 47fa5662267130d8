import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const folder = join(import.meta.dirname, '..');

it('the example of the README runs and prints what the README shows', () => {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  const example = /```js\n(.*?)```/s.exec(readme)?.[1] ?? '';
  const output = /It prints `(.*)`\./.exec(readme)?.[1] ?? '';
  expect(output).toContain('https://shop.example/hook');
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', example], { cwd: folder });
  expect(printed.toString()).toBe(`${output}\n`);
});
