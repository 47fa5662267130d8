import { afterAll, afterEach, vi } from 'vitest';

// What a test stubs ends with it, and is not there for the next test or, where files share a process, the next file.
function putBack(): void {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
}

afterEach(putBack);
afterAll(putBack);
