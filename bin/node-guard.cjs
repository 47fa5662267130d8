// npm itself runs on whatever Node the machine has, so this file is CommonJS that every Node can read.
const required = 24;
const running = process.versions.node;
if (Number.parseInt(running, 10) < required) {
  process.stderr.write(
    `payhooks needs Node ${required} or newer; this is Node ${running} (${process.execPath}).\n` +
      'On Linux (x64 and arm64) `npm ci` installs it as an optional dependency: ' +
      'run it again without --omit=optional.\n' +
      `On other platforms install Node ${required} from nodejs.org or with your version manager, ` +
      'then run `npm ci` again.\n',
  );
  process.exit(1);
}
