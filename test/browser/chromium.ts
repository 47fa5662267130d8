import { statSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Names the binary of a Chromium or Chrome that is somewhere else. */
const variable = 'PAYHOOKS_CHROMIUM';
const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** It calls nobody by itself: what leaves this machine during a test comes from the page. */
const offline = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Throws a sentence that names what to install. */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string {
  const given = environment[variable];
  const found = (given ? [given] : places).find((place) =>
    statSync(place, { throwIfNoEntry: false })?.isFile(),
  );
  if (found !== undefined) return found;
  throw new Error(
    `${given ? `${variable}=${given} names no file` : `No Chromium is installed (${places.join(', ')})`}: ` +
      `install Debian's package (apt-get install chromium), or set ${variable} to the path of another binary.`,
  );
}

export const launchChromium = (...flags: readonly string[]): Promise<Browser> =>
  chromium.launch({ executablePath: findChromium(), args: [...offline, ...flags], chromiumSandbox: false });

if (import.meta.main) {
  try {
    findChromium();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
