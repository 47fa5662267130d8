import { templateDiff } from './template-diff.ts';

// `npm run template-diff -- DEPLOYED PROPOSED`
const [deployedFile = '', proposedFile = ''] = process.argv.slice(2);
const printed = await templateDiff(deployedFile, proposedFile);
if (printed === undefined) {
  // Neither the reason nor the file: both may hold what the pull request wants to be printed.
  process.stderr.write(
    'The proposed template is missing, larger than CloudFormation permits, or no template in JSON.\n',
  );
  process.exitCode = 1;
} else process.stdout.write(printed);
