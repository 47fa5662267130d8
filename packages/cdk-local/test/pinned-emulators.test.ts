import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const require = createRequire(import.meta.url);

describe('an emulator whose inside this package patches', () => {
  it.each([
    ['dynalite', '4.0.0', 'src/emulators/dynalite.ts'],
    ['fauxqs', '2.4.1', 'src/emulators/fauxqs.ts'],
  ])('%s stays at %s until each patch in %s is checked against another version', (name, version, file) => {
    const installed = require.resolve.paths(name)?.flatMap((folder) => {
      try {
        return [JSON.parse(readFileSync(`${folder}/${name}/package.json`, 'utf8')) as { version: string }];
      } catch {
        return [];
      }
    });
    expect(installed?.[0]?.version).toBe(version);
    expect(manifest.dependencies).toMatchObject({ [name]: version });
    expect(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')).toContain(`${name} ${version}`);
  });
});
