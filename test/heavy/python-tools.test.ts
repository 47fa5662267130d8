import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const program = join(import.meta.dirname, '../../.ci/python-tools');

it('names the requirements and the index when CI cannot reach PyPI, and leaves no half-made environment', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'payhooks-python-'));
  onTestFinished(() => rmSync(scratch, { recursive: true }));
  const folder = join(scratch, 'venv');
  const requirements = join(scratch, 'requirements.txt');
  writeFileSync(requirements, 'zizmor==1.32.0\n');
  // Nothing listens on this port.
  const env = {
    ...process.env,
    PIP_INDEX_URL: 'http://127.0.0.1:9/',
    PIP_RETRIES: '0',
    PIP_NO_CACHE_DIR: '1',
  };
  const { status, stderr } = spawnSync(program, [folder, requirements], { encoding: 'utf8', env });
  expect(status).toBe(1);
  expect(stderr).toContain(
    `pip cannot install ${requirements}: see above. If it cannot reach PyPI, set PIP_INDEX_URL`,
  );
  expect(existsSync(folder)).toBe(false);
});
