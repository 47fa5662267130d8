import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { spawnPayhooks } from '../cli/payhooks-process.ts';
import type { MiniStack } from './ministack.ts';

/** Runs `payhooks` with the credentials and the certificate of a MiniStack. */
export function typePayhooks(ministack: MiniStack, argv: readonly string[]) {
  const names = pathToFileURL(join(import.meta.dirname, 'loopback-names.mjs')).href;
  const env = {
    AWS_ENDPOINT_URL: ministack.endpoint,
    AWS_REGION: ministack.region,
    NODE_EXTRA_CA_CERTS: ministack.certificate.certificateFile,
    NODE_OPTIONS: `--import ${names}`,
  };
  return spawnPayhooks(argv, { env, timeout: 150_000 });
}
