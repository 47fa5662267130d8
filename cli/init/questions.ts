import { CommandError } from '../../operator/operator-error.ts';
import { shellQuoted } from '../../operator/shell-quoted.ts';
import type { Session } from '../session.ts';

/** What a project is made from; an empty text stands for none. */
export interface Answers {
  region: string;
  account: string;
  signatureHeader: string;
  serviceUrl: string;
  authentication: string;
  alarmEmail: string;
  domain: string;
  certificate: string;
}

interface Question {
  readonly prompt: string;
  readonly pattern: RegExp;
  /** What the pattern means. */
  readonly expected: string;
  /** The answer if none is given; without one, there must be an answer. */
  readonly fallback?: (env: NodeJS.ProcessEnv) => string | undefined;
  /** How the prompt shows an empty fallback. */
  readonly empty?: string;
  /** It is asked only if this one has an answer. */
  readonly after?: keyof Answers;
}

const none = () => '';

/** By the options that answer them. */
export const questions: Readonly<Record<keyof Answers, Question>> = {
  region: {
    prompt: 'AWS region',
    pattern: /^[a-z]{2}(-[a-z]+)+-\d$/,
    expected: 'a region of AWS, such as eu-west-1',
    fallback: ({ AWS_REGION, AWS_DEFAULT_REGION }) => AWS_REGION || AWS_DEFAULT_REGION || undefined,
  },
  account: {
    prompt: 'AWS account',
    pattern: /^\d{12}$/,
    expected: '12 digits',
    fallback: none,
    empty: 'that of the credentials',
  },
  signatureHeader: {
    prompt: 'Header with the signature',
    pattern: /^[a-z\d-]{1,64}$/,
    expected: 'the name of a header in lower case',
    fallback: () => 'x-service-signature',
  },
  serviceUrl: {
    prompt: "The payment service's API, without /api/v2; with it, deliveries are audited",
    pattern: /^https:\/\/[a-z\d.-]+(:\d{1,5})?\/?$/,
    expected: 'an https URL in lower case, without a path',
    fallback: none,
    empty: 'none',
  },
  authentication: {
    prompt: 'Its authentication, private-key or oauth',
    pattern: /^(private-key|oauth)$/,
    expected: 'private-key or oauth',
    fallback: () => 'private-key',
    after: 'serviceUrl',
  },
  alarmEmail: {
    prompt: 'E-mail address for alarms, which is read at night',
    pattern: /^[\w.+-]+@[\w-]+(\.[\w-]+)+$/,
    expected: 'an e-mail address',
    fallback: none,
    empty: 'none yet',
  },
  domain: {
    prompt: 'Own domain for the webhook, such as hooks.shop.example',
    pattern: /^([a-z\d-]+\.)+[a-z]+$/,
    expected: 'a domain name in lower case',
    fallback: none,
    empty: 'an address of AWS',
  },
  certificate: {
    prompt: 'ARN of its certificate in ACM, in the same region',
    pattern: /^arn:aws[a-z-]*:acm:[a-z\d-]+:\d{12}:certificate\/[\w-]+$/,
    expected: 'arn:aws:acm:REGION:ACCOUNT:certificate/ID',
    after: 'domain',
  },
};

const names = Object.keys(questions) as (keyof Answers)[];

/** The name of an option, such as `--alarm-email`. */
export const optionOf = (name: keyof Answers): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The answers of the options; of the rest, those that are typed, or else the defaults. */
export async function answersOf(
  session: Session,
  given: Partial<Answers>,
  { asks }: { readonly asks: boolean },
): Promise<Answers> {
  const { env, input, terminal } = session;
  const missing: string[] = [];
  const answers: Partial<Answers> = {};
  for (const name of names) {
    const { prompt, pattern, expected, fallback, empty = 'no default', after } = questions[name];
    const isValid = (text: string) => pattern.test(text) || (text === '' && fallback !== undefined);
    const answer = given[name];
    if (answer !== undefined && !isValid(answer)) {
      const message = `${optionOf(name)}: given ${JSON.stringify(answer)}, expected ${expected}.`;
      throw new CommandError('wrongUsage', message);
    }
    const standard = fallback?.(env);
    const isAsked = after === undefined || answers[after] !== '';
    if (answer && after && !isAsked)
      throw new CommandError('wrongUsage', `${optionOf(name)} is given without ${optionOf(after)}.`);
    if (answer !== undefined || !isAsked) answers[name] = answer ?? '';
    else if (!asks && standard !== undefined && isValid(standard)) answers[name] = standard;
    else if (!asks) missing.push(`${optionOf(name)} (${expected})`);
    while (asks && answers[name] === undefined) {
      const typed = (await input.line(`${prompt} [${standard || empty}]: `)).trim() || standard;
      if (typed !== undefined && isValid(typed)) answers[name] = typed;
      else terminal.note(`Expected ${expected}.`);
    }
  }
  if (missing.length === 0) return answers as Answers;
  throw new CommandError('wrongUsage', `These have no default: ${missing.join(', ')}.`);
}

/** The command that makes the same project without questions. */
export const commandOf = (answers: Answers): string =>
  ['payhooks init --yes']
    .concat(
      names.flatMap((name) =>
        answers[name] === '' ? [] : `${optionOf(name)} ${shellQuoted(answers[name])}`,
      ),
    )
    .join(' ');
