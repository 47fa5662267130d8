import * as v from 'valibot';
import { localProbeMilliseconds } from '../limits.ts';
import { CommandError } from '../operator-error.ts';
import { printable } from '../printable.ts';
import { defaultLocalUrl, localServices, type Stack } from './stack.ts';

/** The stack of a local mode at this address; `undefined` when there is none. */
export const probeLocalMode = (baseUrl: string): Promise<Stack | undefined> =>
  requestStack(baseUrl).catch(() => undefined);

/** The stack of the local mode at this address; rejects when there is none. */
export async function findLocalMode(given: string): Promise<Stack> {
  const baseUrl = readLoopbackUrl(given);
  try {
    return await requestStack(baseUrl);
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    const { port } = new URL(baseUrl);
    const command = port === '4800' ? 'npm start' : `npm start -- --port ${port || 80}`;
    const message = `Local mode does not run at ${baseUrl}. Start it with: ${command}`;
    throw new CommandError('unreachable', message, { cause });
  }
}

/** What local mode shows in place of a service of AWS. Throws for a response of another form. */
export async function readLocalView<Schema extends v.GenericSchema>(
  localUrl: string,
  path: string,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const response = await fetch(new URL(path, localUrl), {
    signal: AbortSignal.timeout(localProbeMilliseconds),
    redirect: 'manual',
  });
  const text = response.ok ? await response.text() : '';
  const view = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
  if (view.success) return view.output as v.InferOutput<Schema>;
  throw new CommandError('failed', `GET ${localUrl}${path} is not what local mode of this version shows.`);
}

/** Local mode has no authentication, so it is used only on this machine. */
function readLoopbackUrl(given: string): string {
  const url = URL.parse(given);
  if (url?.protocol === 'http:' && isLoopback(url)) return url.origin;
  throw new CommandError(
    'wrongUsage',
    `--local is followed by ${printable(given)}, which is not an address of this machine such as ` +
      `${defaultLocalUrl}. Without an address, --local goes after the other arguments.`,
  );
}

async function requestStack(localUrl: string): Promise<Stack> {
  const {
    stack: name,
    service_url: serviceUrl,
    ...view
  } = await readLocalView(localUrl, '/stack', stackSchema);
  return { name, ...view, localUrl, ...(serviceUrl !== undefined && { serviceUrl }) };
}

/** What `GET /stack` of local mode returns. */
const stackSchema = v.object({
  stack: v.string(),
  outputs: v.record(v.string(), v.string()),
  region: v.optional(v.string(), 'us-east-1'),
  service_url: v.optional(v.string()),
  endpoints: v.optional(v.partial(v.object(v.entriesFromList(localServices, v.string()))), {}),
});

/** Nothing that is sent there crosses a network. */
const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
