import type { DeadLetters, RedriveRequest } from '../../contract.ts';
import { getApi, postApi } from '../data/api.ts';
import { counted } from '../parts/texts.ts';
import { ActDialog } from './act-dialog.tsx';
import { messagesText, redriveObstacles } from './redrive.ts';

/** Moves the dead letters back to the event queue, whose consumer tries each again. */
export function RedriveDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <ActDialog<DeadLetters, object>
      title="Redrive the dead letters?"
      parts={{
        choice: 'all',
        preview: () => getApi<DeadLetters>('/console/api/dead-letters'),
        act: (preview) => {
          const request: RedriveRequest = redriveObstacles(preview).length > 0 ? { again: true } : {};
          return postApi('/console/api/dead-letters/redrive', request);
        },
        effectOf: ({ depth, groups }) => JSON.stringify([depth, groups.map(({ error }) => error).toSorted()]),
      }}
      hasReason={false}
      consequence={({ depth }) =>
        `If you redrive, ${messagesText(depth)} back to the event queue, and the consumer tries each ` +
        'again: an event that it can record now reaches its order. Remove the cause first: what fails ' +
        'comes back.'
      }
      changes={(letters) => <Groups letters={letters} />}
      unneeded={({ depth, redrive }) => {
        if (redrive?.status === 'RUNNING')
          return `A redrive is active: ${redrive.moved} of ${redrive.to_move} moved.`;
        return depth === 0 ? 'The dead-letter queue is empty.' : undefined;
      }}
      confirmLabel="Redrive all dead letters"
      permission="sqs:StartMessageMoveTask on the dead-letter queue"
      outcome={({ preview }) => ({
        sentence: `SQS is moving ${counted(preview.depth, 'message')} back to the event queue.`,
        details: (
          <p>
            The waiting room shows what comes back. SQS keeps no reason for a redrive; CloudTrail has who
            started it.
          </p>
        ),
      })}
      onClose={onClose}
    />
  );
}

function Groups({ letters }: { readonly letters: DeadLetters }) {
  const obstacles = redriveObstacles(letters);
  return (
    <>
      <ul class="letter-groups">
        {letters.groups.map(({ error, meaning, messages }) => (
          <li key={error}>
            <strong>
              {messages.length} × {error}
            </strong>
            {meaning !== '' && `: ${meaning}`}
          </li>
        ))}
      </ul>
      {letters.note !== null && <p class="faint">{letters.note}</p>}
      {obstacles.map((obstacle) => (
        <p key={obstacle} class="act-obstacle">
          {obstacle}
        </p>
      ))}
    </>
  );
}
