import { App } from 'aws-cdk-lib';
import { ConfigurationError } from '../lib/configuration.ts';

/** Synthesises what `build` adds to an app; a wrong setting ends the program with its message. */
export function synthesise(build: (app: App) => void): void {
  const app = new App({ autoSynth: false });
  try {
    build(app);
    app.synth();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    // The operator has to fix a wrong setting; a stack trace would only hide the message that helps.
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
