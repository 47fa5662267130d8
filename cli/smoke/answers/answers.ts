import { open, writeFile } from 'node:fs/promises';
import { CommandError } from '../../command-error.ts';
import type { Stack } from '../../target/stack.ts';
import { outputOf } from '../../target/stack.ts';
import { type Finding, failed, passed, unanswered } from '../check.ts';
import type { Checks } from '../checks.ts';
import type { Deployment } from '../deployment.ts';
import { type Answered, answerTo } from './asking.ts';
import { bodyQuestions } from './body-questions.ts';
import { pathQuestions } from './path-questions.ts';
import type { AnyQuestion } from './question.ts';

/** One line of the file. */
interface Written {
  readonly id: string;
  readonly question: string;
  readonly expected_status: number;
  readonly see: string;
  readonly verdict: 'as_expected' | 'differs' | 'unanswered';
  readonly answer: Answered;
}

const willRing = `Some of these questions are what alarms are for. Of the stack will ring:
  BodiesTooLarge (bodies above 256 KiB) and EventsUnrecognised (a body that is no UTF-8);
  WebhookServerErrors, should AWS answer a large body with a 5xx.
  SignatureMismatches counts two of the five that make it ring, beside one of the checks and one more when
  the key is waited for: four at most, so a second run within an hour makes it ring.
  SignaturesUnreadable counts one of twenty, beside two of the checks.
The events are sandbox events and stay in the tables; one of them belongs to the order "..", one to " ".
Ask?`;

/** Before anything is asked: says which alarms will ring, and that the file can be written. */
export async function confirmAnswers(
  { session, stack }: Deployment,
  file: string,
  options: { readonly yes?: true },
): Promise<void> {
  if (stack.localUrl !== undefined) {
    const why = '--answers writes down what AWS answers; local mode answers as the documents expect.';
    throw new CommandError('wrongUsage', `${why} Name a stack with --stack.`);
  }
  await session.input.confirm(willRing, options);
  try {
    await (await open(file, 'a')).close();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new CommandError('wrongUsage', `The file ${file} cannot be written: ${code}.`, { cause });
  }
}

/** Asks every question, a check for each, and writes the answers into the file. */
export async function askForAnswers(
  checks: Checks,
  deployment: Deployment,
  { key, file }: { readonly key: string | undefined; readonly file: string },
): Promise<void> {
  const { stack, session } = deployment;
  const written: Written[] = [];
  for (const question of [...bodyQuestions(deployment), ...pathQuestions(deployment)]) {
    await checks.run(question.id, async () => {
      const answer: Answered =
        key === undefined
          ? { answered: false, why: 'no signed event was accepted' }
          : await answerTo({ deployment, key }, question);
      const line = writtenOf(question, answer);
      written.push(line);
      return findingOf(line);
    });
  }
  await checks.run('answers', async () => {
    const answered = written.filter(({ verdict }) => verdict !== 'unanswered').length;
    const report = { ...about(stack, session.now()), asked: checksOf(written), answers: written };
    await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
    const says = `${answered} of ${written.length} questions are answered, in ${file}`;
    return answered === written.length ? passed(says) : unanswered(says);
  });
}

const about = (stack: Stack, now: number) => ({
  asked_at: new Date(now).toISOString(),
  stack: stack.name,
  region: stack.region,
  webhook_url: outputOf(stack, 'WebhookUrl'),
  order_query_url: outputOf(stack, 'OrderQueryUrl'),
});

const checksOf = (written: readonly Written[]) => ({
  questions: written.length,
  as_expected: written.filter(({ verdict }) => verdict === 'as_expected').length,
  differs: written.filter(({ verdict }) => verdict === 'differs').length,
  unanswered: written.filter(({ verdict }) => verdict === 'unanswered').length,
});

function writtenOf({ id, asks, expected, section }: AnyQuestion, answer: Answered): Written {
  const verdict = !answer.answered ? 'unanswered' : isExpected(expected, answer) ? 'as_expected' : 'differs';
  const see = `docs/assumptions.md#${section}`;
  return { id, question: asks, expected_status: expected, see, verdict, answer };
}

const isExpected = (expected: number, answer: Answered & { readonly answered: true }): boolean =>
  answer.status === expected && answer.stored?.byte_exact !== false && answer.same_order !== false;

function findingOf({ question, expected_status, see, answer }: Written): Finding {
  if (!answer.answered) return unanswered(`${question}: ${answer.why}`);
  const { status, from, stored, same_order } = answer;
  const kept =
    stored === null ? '' : stored.byte_exact ? ', stored byte for byte' : ', stored with other bytes';
  const other = same_order === false ? ', but another order' : '';
  const says = `${question}: ${status} from ${from}${kept}${other}`;
  if (isExpected(expected_status, answer)) return passed(says);
  return failed(`${says}; expected ${expected_status}`, `${see}: write down what AWS answers`);
}
