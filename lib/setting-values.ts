import { Token } from 'aws-cdk-lib';
import * as v from 'valibot';
import { actNames } from '../lambdas/contract/act-names.ts';
import { runbookUrlCharactersMax, silenceHoursMax } from '../lambdas/contract/alarm-thresholds.ts';
import { deadLetterRetentionDays, requiredEventsMax } from '../lambdas/contract/limits.ts';
import { eventNamePattern } from './event-meanings.ts';

/** Every schema has one message, which completes "expected …". */
export const text = (expected: string, pattern: RegExp) =>
  v.pipe(v.string(expected), v.regex(pattern, expected));

/**
 * What names or addresses something outside the deployment. In an app it may be a token, such as the ARN of a
 * topic of the same app, whose value only the deployment knows.
 */
export const reference = (expected: string, pattern: RegExp) =>
  v.pipe(
    v.string(expected),
    v.check((given) => Token.isUnresolved(given) || pattern.test(given), expected),
  );

export const choice = <const Value extends string>(values: readonly Value[]) =>
  v.picklist(values, `one of ${values.join(', ')}`);

/** cdk.json holds booleans and numbers; `-c setting=value` passes them as text. */
export const flag = v.pipe(
  v.union([v.boolean(), v.picklist(['true', 'false'])], 'true or false'),
  v.transform((given) => String(given) === 'true'),
);
export const number = (expected: string, isValid: (value: number) => boolean) =>
  v.pipe(
    v.union([v.number(), v.string()], expected),
    v.transform((given) =>
      typeof given === 'number' || /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN,
    ),
    v.number(expected),
    v.check(isValid, expected),
  );
export const wholeNumber = (from: number, to: number, reason = '') =>
  number(
    `a whole number from ${from} to ${to}${reason}`,
    (value) => Number.isInteger(value) && value >= from && value <= to,
  );

/** The longest number that `-c` takes: a million restores, and every sequence stays exact in JSON. */
export const sequenceBaseMax = 999_999_999_999_999;

/** An address that `normalise` accepts, in its normal form. */
const address = (expected: string, normalise: (url: URL, given: string) => string | undefined) =>
  v.pipe(
    v.string(expected),
    v.check((given) => Token.isUnresolved(given) || URL.canParse(given), expected),
    v.transform((given) => (Token.isUnresolved(given) ? given : normalise(new URL(given), given))),
    v.string(expected),
  );

/** Plain http is only for a payment service that is simulated on this machine. */
export const serviceOrigin = address(
  'an https address without path, query or credentials, such as https://api.example.com',
  ({ protocol, hostname, origin }, given) => {
    const isPrivate = protocol === 'https:' || (protocol === 'http:' && hostname === '127.0.0.1');
    return isPrivate && (given === origin || given === `${origin}/`) ? origin : undefined;
  },
);
const httpsHref = ({ protocol, username, password, hash, href }: URL): string | undefined =>
  protocol === 'https:' && username + password + hash === '' ? href : undefined;
export const httpsUrl = address(
  'an https URL without credentials, such as https://hooks.example.com/webhooks/payments',
  httpsHref,
);
/** Alarms add the heading, and CloudWatch takes 1,024 characters for the description of an alarm. */
export const runbookUrl = address(
  `an https URL without credentials and heading, of at most ${runbookUrlCharactersMax} characters, ` +
    'such as https://wiki.example.com/payhooks/runbook',
  (url) => (url.href.length <= runbookUrlCharactersMax ? httpsHref(url) : undefined),
);

export const topicArn = reference(
  'the ARN of a standard topic of SNS',
  /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/,
);

/** From a list, or joined by commas. */
const list = (expected: string) =>
  v.pipe(
    v.union([v.string(), v.array(v.unknown())], expected),
    v.transform((given) => (typeof given === 'string' ? given.split(',') : given)),
  );

const expectedEvents = `1 to ${requiredEventsMax} event names, such as transaction.paid,transaction.refunded`;
export const eventNames = v.pipe(
  list(expectedEvents),
  v.array(text(expectedEvents, eventNamePattern)),
  v.minLength(1, expectedEvents),
  v.maxLength(requiredEventsMax, expectedEvents),
  v.transform((names) => [...new Set(names)]),
);

const expectedActs = `acts, such as admit,erase: ${actNames.join(', ')}`;
export const acts = v.pipe(
  list(expectedActs),
  v.array(v.picklist(actNames, expectedActs)),
  v.transform((names) => [...new Set(names)]),
);

export const tableName = reference('3 to 255 letters, digits, _, . and -', /^[\w.-]{3,255}$/);
export const tableStreamArn = reference(
  'the ARN of the stream of a DynamoDB table, which its LatestStreamArn shows',
  /^arn:aws[a-z-]*:dynamodb:[a-z0-9-]+:\d{12}:table\/[\w.-]{3,255}\/stream\/[\w:.-]+$/,
);
/** Without its last six characters an ARN would also match other secrets in a policy. */
export const secretArn = reference(
  'the complete ARN of a secret, with the six characters at its end',
  /^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]{1,512}-[A-Za-z0-9]{6}$/,
);

/** Predefined configurations of CodeDeploy, by their names there. */
export const rollouts = [
  'LambdaCanary10Percent5Minutes',
  'LambdaCanary10Percent15Minutes',
  'LambdaCanary10Percent30Minutes',
  'LambdaLinear10PercentEvery1Minute',
  'LambdaLinear10PercentEvery3Minutes',
] as const;

/** Ids of EC2. The maxima are those of Lambda. */
export function resourceIds(kind: 'subnet' | 'sg' | 'vpce', from: number, to: number) {
  const expected = `${from} to ${to} different ids, such as ${kind}-0123456789abcdef0`;
  return v.pipe(
    list(expected),
    v.array(reference(expected, new RegExp(`^${kind}-[0-9a-f]{8,17}$`))),
    v.check((ids) => new Set(ids).size === ids.length && ids.length >= from && ids.length <= to, expected),
  );
}

/** A role of one account. A pattern that begins with an asterisk would match the roles of others. */
export const roleArn = reference(
  'the ARN of an IAM role, with the 12 digits of its account and a name that begins with no asterisk ' +
    '(further on, an asterisk stands for any characters)',
  /^arn:aws[a-z-]*:iam::\d{12}:role\/([\w+=,.@-][\w+=,.@*-]*\/|\*\/)*[\w+=,.@-][\w+=,.@*-]*$/,
);

export const requestsPerSecond = wholeNumber(1, 1_000_000);
/** A body is stored before its event, and a redrive may store the event as late as dead letters are kept. */
export const bodyDays = wholeNumber(
  deadLetterRetentionDays,
  36_500,
  ', because an event that waits in the dead-letter queue must still find its body',
);
const hoursPerDay = 24;
const silenceExpected = `1h to ${silenceHoursMax}h, or 1d to ${silenceHoursMax / hoursPerDay}d`;
/** Hours or days, in hours. */
export const silence = v.pipe(
  text(silenceExpected, /^[1-9]\d{0,2}[hd]$/),
  v.transform((given) => Number.parseInt(given, 10) * (given.endsWith('d') ? hoursPerDay : 1)),
  v.maxValue(silenceHoursMax, silenceExpected),
);
/** An alias may point to another key tomorrow, and some services keep the key that it names today. */
export const keyArn = reference(
  'own, or the ARN of a symmetric KMS key (not of an alias), in the region and account of the stack',
  /^(own|arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/(mrk-)?[0-9a-f-]{32,36})$/,
);
/** The retention periods of CloudWatch Logs. */
const logDays = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];
export const logRetention = number(`one of ${logDays.join(', ')}`, (value) => logDays.includes(value));

export const environmentNameSchema = text(
  '1 to 30 lower-case letters, digits and hyphens, starting with a letter',
  /^[a-z][a-z0-9-]{0,29}$/,
);
