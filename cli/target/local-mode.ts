import { CommandError } from '../command-error.ts';
import { fieldsOf, parseJson } from '../json-text.ts';
import { localProbeMilliseconds } from '../limits.ts';
import type { Stack } from './stack.ts';

export const defaultLocalUrl = 'http://127.0.0.1:4800';

/** The stack of a local mode at this address; `undefined` when there is none. */
export async function probeLocalMode(baseUrl: string): Promise<Stack | undefined> {
  try {
    return await requestStack(baseUrl);
  } catch {
    return undefined;
  }
}

/** The stack of the local mode at this address; rejects when there is none. */
export async function findLocalMode(given: string): Promise<Stack> {
  const baseUrl = readLoopbackUrl(given);
  try {
    return await requestStack(baseUrl);
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    const message = `Local mode does not run at ${baseUrl}. Start it with: npm start`;
    throw new CommandError('unreachable', message, { cause });
  }
}

/** Local mode has no authentication, so it is used only on this machine. */
function readLoopbackUrl(given: string): string {
  const url = URL.parse(given);
  const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
  if (url?.protocol === 'http:' && loopback.test(url.hostname)) return url.origin;
  throw new CommandError(
    'wrongUsage',
    `--local takes the address of a local mode, such as ${defaultLocalUrl}. ` +
      'To use it without an address, put it after the other arguments.',
  );
}

async function requestStack(baseUrl: string): Promise<Stack> {
  const response = await fetch(new URL('/stack', baseUrl), {
    headers: { accept: 'application/json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(localProbeMilliseconds),
  });
  const stack = response.ok ? readStack(await response.text(), baseUrl) : undefined;
  if (stack !== undefined) return stack;
  const message = `The server at ${baseUrl} is not a local mode of payhooks, or an older version of it.`;
  throw new CommandError('failed', message);
}

function readStack(text: string, localUrl: string): Stack | undefined {
  const document = fieldsOf(parseJson(text));
  const name = document['stack'];
  if (typeof name !== 'string') return undefined;
  const outputs = Object.entries(fieldsOf(document['outputs'])).filter(
    (output): output is [string, string] => typeof output[1] === 'string',
  );
  const secretsManagerUrl = fieldsOf(document['endpoints'])['secretsManager'];
  const { region, service_url: serviceUrl } = document;
  return {
    name,
    outputs: Object.fromEntries(outputs),
    region: typeof region === 'string' ? region : 'us-east-1',
    localUrl,
    ...(typeof secretsManagerUrl === 'string' && { secretsManagerUrl }),
    ...(typeof serviceUrl === 'string' && { serviceUrl }),
  };
}
