import { spawnPayhooks } from '../cli/payhooks-process.ts';
import type { MiniStack } from './ministack.ts';

/** Runs `payhooks` with the credentials and the certificate of a MiniStack. */
export function typePayhooks(ministack: MiniStack, argv: readonly string[]) {
  return spawnPayhooks(argv, { env: ministack.environment, timeout: 150_000 });
}
