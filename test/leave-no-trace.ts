import { afterAll, afterEach, vi } from 'vitest';

// The files of `unit` and of `infra` share their processes: what a test changes there ends with it. A variable that
// was set without `vi.stubEnv` would stay, so it fails its file.
const before = { ...process.env };

function putBack(): void {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
}

afterEach(putBack);

afterAll(() => {
  putBack();
  const names = Object.keys({ ...before, ...process.env });
  const changed = names.filter((name) => process.env[name] !== before[name]);
  if (changed.length === 0) return;
  throw new Error(`This file changes ${changed.join(', ')} for the files after it; use vi.stubEnv().`);
});
