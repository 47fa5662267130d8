import { requiredEventsMax } from '../lambdas/contract/limits.ts';

/** What a setting may hold: a sentence part for the operator, and the test that it describes. */
export interface SettingKind<T> {
  /** Completes "expected …". */
  readonly expected: string;
  /** The value that was given, or `undefined` when it is none of this kind. */
  readonly parse: (given: unknown) => T | undefined;
}

/** cdk.json holds numbers and booleans; `-c setting=value` hands over the same ones as text. */
function asNumber(given: unknown): number | undefined {
  if (typeof given === 'number') return given;
  return typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : undefined;
}

function text(expected: string, pattern: RegExp): SettingKind<string> {
  return {
    expected,
    parse: (given) => (typeof given === 'string' && pattern.test(given) ? given : undefined),
  };
}

export const flag: SettingKind<boolean> = {
  expected: 'true or false',
  parse(given) {
    if (given === true || given === 'true') return true;
    return given === false || given === 'false' ? false : undefined;
  },
};

export function wholeNumber(from: number, to: number): SettingKind<number> {
  return {
    expected: `a whole number from ${from} to ${to}`,
    parse(given) {
      const value = asNumber(given);
      return value !== undefined && Number.isInteger(value) && value >= from && value <= to
        ? value
        : undefined;
    },
  };
}

export function oneOf(values: readonly number[]): SettingKind<number> {
  return {
    expected: `one of ${values.join(', ')}`,
    parse: (given) => values.find((value) => value === asNumber(given)),
  };
}

/** An HTTP token (RFC 9110, 5.6.2), in lower case: HTTP APIs hand over header names that way. */
export const headerName: SettingKind<string> = {
  expected: "the name of an HTTP header: letters, digits and !#$%&'*+-.^_`|~, without a colon",
  parse: (given) =>
    typeof given === 'string' && /^[!#$%&'*+.^_`|~\w-]{1,100}$/.test(given) ? given.toLowerCase() : undefined,
};

/** Plain http never leaves this machine: it is for a payment service that is simulated on it. */
export const serviceOrigin: SettingKind<string> = {
  expected: 'an https address without path, query or credentials, as https://api.example.com',
  parse(given) {
    if (typeof given !== 'string' || !URL.canParse(given)) return undefined;
    const url = new URL(given);
    const isPrivate = url.protocol === 'https:' || (url.protocol === 'http:' && url.hostname === '127.0.0.1');
    const plain = isPrivate && (given === url.origin || given === `${url.origin}/`);
    return plain ? url.origin : undefined;
  },
};

/** What stands in a webhook's registration, so it may have a path but no credentials. */
export const httpsUrl: SettingKind<string> = {
  expected: 'an https URL without credentials, as https://hooks.example.com/webhooks/payments',
  parse(given) {
    if (typeof given !== 'string' || !URL.canParse(given)) return undefined;
    const { protocol, username, password, hash, href } = new URL(given);
    return protocol === 'https:' && username + password + hash === '' ? href : undefined;
  },
};

export function choice<const Value extends string>(values: readonly Value[]): SettingKind<Value> {
  return {
    expected: `one of ${values.join(', ')}`,
    parse: (given) => values.find((value) => value === given),
  };
}

/** cdk.json may hold a list; `-c setting=value` hands one over joined by commas. */
export const eventNames: SettingKind<readonly string[]> = {
  expected: `1 to ${requiredEventsMax} event names, as transaction.paid,transaction.refunded`,
  parse(given) {
    const names: unknown[] = typeof given === 'string' ? given.split(',') : Array.isArray(given) ? given : [];
    const isName = (name: unknown): name is string =>
      typeof name === 'string' && /^[\w-]{1,100}\.[\w-]{1,100}$/.test(name);
    return names.length > 0 && names.length <= requiredEventsMax && names.every(isName)
      ? [...new Set(names)]
      : undefined;
  },
};

export const environmentName = text(
  '1 to 30 lower-case letters, digits and hyphens, starting with a letter',
  /^[a-z][a-z0-9-]{0,29}$/,
);

export const emailAddress = text('an e-mail address', /^[^\s@]+@[^\s@]+\.[^\s@]+$/);

export const roleArn = text(
  'the ARN of an IAM role (an asterisk stands for any characters)',
  /^arn:aws[a-z-]*:iam::(\d{12}|\*):role\/[\w+=,.@*/-]+$/,
);

/** Two labels at least, the last of which begins with a letter: an IP address has no certificate of ACM. */
export const hostName = text(
  'a host name in lower case, as hooks.example.com, without scheme, port, wildcard or a dot at its end',
  /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/,
);

export const certificateArn = text(
  'the ARN of a certificate of AWS Certificate Manager',
  /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]{1,100}$/,
);

export const objectUri = text(
  'an S3 object, as s3://bucket/key',
  /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]\/[\w!.*'()/-]{1,900}$/,
);

/** The version named `null` is the one of a bucket without versioning: it changes with its object. */
export const objectVersion = text(
  'the version id of an S3 object in a bucket with versioning',
  /^(?!null$)[\w.+/=-]{1,1024}$/,
);
