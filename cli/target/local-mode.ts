import { CommandError } from '../command-error.ts';
import { fieldsOf, parseJson } from '../json-text.ts';
import { localProbeMilliseconds } from '../limits.ts';
import type { Stack } from './stack.ts';

export const defaultLocalUrl = 'http://127.0.0.1:4800';

/** The stack that local mode runs; `undefined` when nothing answers there, or something else does. */
export async function probeLocalMode(baseUrl: string): Promise<Stack | undefined> {
  try {
    return await askLocalMode(baseUrl);
  } catch {
    return undefined;
  }
}

/** The stack of the local mode that was asked for; rejects when there is none. */
export async function findLocalMode(given: string): Promise<Stack> {
  const baseUrl = readLoopbackUrl(given);
  try {
    return await askLocalMode(baseUrl);
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    const message = `No local mode answers at ${baseUrl}. Start it with: npm start`;
    throw new CommandError('unreachable', message, { cause });
  }
}

/** Local mode has no authentication of its own, so it is taken from this machine alone. */
function readLoopbackUrl(given: string): string {
  const url = URL.parse(given);
  const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
  if (url?.protocol === 'http:' && loopback.test(url.hostname)) return url.origin;
  throw new CommandError(
    'wrongUsage',
    `--local takes the address of a local mode, as ${defaultLocalUrl}; it was followed by something else. ` +
      'Without an address, write it behind the other arguments.',
  );
}

async function askLocalMode(baseUrl: string): Promise<Stack> {
  const response = await fetch(new URL('/stack', baseUrl), {
    headers: { accept: 'application/json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(localProbeMilliseconds),
  });
  const stack = response.ok ? readStack(await response.text(), baseUrl) : undefined;
  if (stack !== undefined) return stack;
  const message = `What answers at ${baseUrl} is no local mode of payhooks, or an older one.`;
  throw new CommandError('failed', message);
}

function readStack(text: string, localUrl: string): Stack | undefined {
  const answer = fieldsOf(parseJson(text));
  const name = answer['stack'];
  if (typeof name !== 'string') return undefined;
  const outputs = Object.entries(fieldsOf(answer['outputs'])).filter(
    (output): output is [string, string] => typeof output[1] === 'string',
  );
  const secretsManagerUrl = fieldsOf(answer['endpoints'])['secretsManager'];
  const { region, service_url: serviceUrl } = answer;
  return {
    name,
    outputs: Object.fromEntries(outputs),
    region: typeof region === 'string' ? region : 'us-east-1',
    localUrl,
    ...(typeof secretsManagerUrl === 'string' && { secretsManagerUrl }),
    ...(typeof serviceUrl === 'string' && { serviceUrl }),
  };
}
