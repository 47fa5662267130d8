import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { closeServer, listen } from '@payhooks/cdk-local/loopback';
import { CommandError, type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { nextCommand, type Stack } from '../../operator/stack/stack.ts';
import { type CommandSetup, examplesOf, expecting } from '../options.ts';
import { type CommonOptions, type Session, show } from '../session.ts';
import { takeStopSignals } from '../stop-signal.ts';
import { openBrowser } from './open-browser.ts';

interface ConsoleOptions extends CommonOptions {
  readonly port: number;
  readonly browser: boolean;
}

const port = expecting('a whole number from 0 to 65535', (given) =>
  /^\d{1,5}$/.test(given) && Number(given) <= 65_535 ? Number(given) : undefined,
);

const notes = `
It listens on 127.0.0.1, signs the page's requests with your AWS credentials, and deploys nothing. The link
holds a key of this start, which the browser then keeps as a cookie; --no-browser prints the link only.
What your credentials may not do, the page shows as not allowed. docs/console.md lists the permissions.
Local mode serves a console of its own, without a key: the command opens that one, and ends.
`;

export function define({ command, action }: CommandSetup): void {
  command
    .option('--port <number>', 'port on 127.0.0.1; 0 takes a free one', port, 4805)
    .option('--no-browser', 'open no browser')
    .addHelpText(
      'after',
      notes + examplesOf('console --stack payhooks-production', 'console --port 4900 --no-browser'),
    )
    .action(action(showConsole));
}

async function showConsole(session: Session, options: ConsoleOptions): Promise<ExitCode> {
  const { terminal } = session;
  const stack = await session.stack(options);
  if (stack.localUrl !== undefined) {
    // Local mode serves its own console, without a key.
    const url = `${stack.localUrl}/`;
    const code = show(session, options, { document: { url }, print: () => terminal.print(url) });
    await open(session, options, url);
    return code;
  }
  using stop = takeStopSignals();
  const running = await start(session, options, stack);
  show(session, options, { document: { url: running.link }, print: () => terminal.print(running.link) });
  terminal.note('Ctrl-C ends the console.');
  await open(session, options, running.oneTimeLink());
  if (!stop.signal.aborted) await once(stop.signal, 'abort');
  await running.close();
  return stop.exitCode() ?? exitCodes.done;
}

/** A script, and an operator on another machine, have no browser to open. */
async function open({ input, terminal }: Session, { browser, json }: ConsoleOptions, url: string) {
  if (!browser || json || !input.isTerminal || !terminal.showsProgress) return;
  if (!(await openBrowser(url))) terminal.note('No browser was found. Open the link yourself.');
}

async function start({ env }: Session, { port }: ConsoleOptions, stack: Stack) {
  // Loaded when it is needed: no other command bundles a page.
  const { createConsoleServer } = await import('../../console/server/server.ts');
  const { createAccess } = await import('../../console/server/admission.ts');
  const key = randomBytes(32).toString('base64url');
  const access = createAccess({ key, command: nextCommand(stack, 'payhooks console --no-browser') });
  const console = createConsoleServer({
    stack: async () => stack,
    env,
    log: undefined,
    isProxy: true,
    access,
  });
  const server = createServer((request, response) => {
    if (console.handle(request, response)) return;
    response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such page.\n');
  });
  const baseUrl = await listenOn(server, port);
  return {
    link: `${baseUrl}/?key=${key}`,
    oneTimeLink: () => `${baseUrl}/?key=${access.createOneTimeKey()}`,
    close: () => closeServer(server),
  };
}

async function listenOn(server: Server, port: number): Promise<string> {
  try {
    return await listen(server, { host: '127.0.0.1', port });
  } catch (cause) {
    const reasons: Readonly<Record<string, string>> = { EADDRINUSE: 'in use', EACCES: 'not permitted' };
    const reason = reasons[(cause as NodeJS.ErrnoException).code ?? ''];
    if (reason === undefined) throw cause;
    const message = `Port ${port} is ${reason} on 127.0.0.1; choose another with --port.`;
    throw new CommandError('failed', message, { cause });
  }
}
