import type { DeadLetters, RedriveRequest } from '../../contract.ts';
import { getApi, postApi } from '../data/api.ts';
import { counted } from '../parts/texts.ts';
import type { Act, Plan } from './act.ts';

const readLetters = () => getApi<DeadLetters>('/console/api/dead-letters');

/** Moves the dead letters back to the event queue, whose consumer tries each again. */
export const redrive: Act = {
  label: 'Redrive all dead letters',
  hasReason: false,
  plan: async () => planOf(await readLetters()),
  async confirm(_, { plan: shown }) {
    const letters = await readLetters();
    const plan = planOf(letters);
    if (plan.effect !== shown.effect) return { step: 'changed', plan };
    const request: RedriveRequest = redriveObstacles(letters).length > 0 ? { again: true } : {};
    await postApi('/console/api/dead-letters/redrive', request);
    const sentence =
      `SQS is moving ${counted(letters.depth, 'message')} back to the event queue. The waiting room shows ` +
      'what comes back. SQS keeps no reason for a redrive; CloudTrail has who started it.';
    return { step: 'done', outcome: { sentence, orders: [], record: null } };
  },
};

function planOf(letters: DeadLetters): Plan {
  const { depth, groups, note, redrive: latest } = letters;
  const obstacles = redriveObstacles(letters);
  const unneeded =
    latest?.status === 'RUNNING'
      ? `A redrive is active: ${latest.moved} of ${latest.to_move} moved.`
      : depth === 0
        ? 'The dead-letter queue is empty.'
        : undefined;
  return {
    effect: JSON.stringify([depth, groups.map(({ error }) => error).toSorted(), obstacles.length > 0]),
    is_needed: unneeded === undefined,
    sentence:
      unneeded ??
      `If you redrive, ${depth === 1 ? 'the message moves' : `all ${depth} messages move`} back to the ` +
        'event queue, and the consumer tries each again: an event that it can record now reaches its ' +
        'order. Remove the cause first: what fails comes back.',
    context: [...groups.map(groupLine), ...(note === null ? [] : [note]), ...obstacles],
  };
}

const groupLine = ({ error, meaning, messages }: DeadLetters['groups'][number]): string =>
  `${messages.length} × ${error}${meaning === '' ? '' : `: ${meaning}`}`;

/** Why a redrive may be in vain: SQS moves all messages or none. */
export function redriveObstacles({ groups }: Pick<DeadLetters, 'groups'>): readonly string[] {
  const letters = groups.flatMap(({ messages }) => messages);
  const redriven = letters.filter(({ redriven_before }) => redriven_before).length;
  const malformed = letters.filter((letter) => letter.malformed).length;
  return [
    redriven === 0 ? '' : `Redriven before, and back: ${counted(redriven, 'message')}.`,
    malformed === 0 ? '' : `The consumer of this version cannot read ${counted(malformed, 'message')}.`,
  ].filter((text) => text !== '');
}
