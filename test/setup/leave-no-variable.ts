import { afterAll } from 'vitest';

// A variable that was set without `vi.stubEnv` would stay for the files after it in this process, so it fails its file.
const before = { ...process.env };

afterAll(() => {
  const names = Object.keys({ ...before, ...process.env });
  const changed = names.filter((name) => process.env[name] !== before[name]);
  if (changed.length === 0) return;
  throw new Error(`This file changes ${changed.join(', ')} for the files after it; use vi.stubEnv().`);
});
