import { CopyButton } from '../parts/copy-button.tsx';
import { useOpenAct } from './acts.tsx';
import { admitChoice, type Subject } from './choices.ts';
import { replayNameCommand } from './commands.ts';
import { nameOf } from './sentences.ts';
import { useCommand } from './use-command.ts';

interface EventButtonsProps {
  readonly subject: Subject;
  /** `false` for a body whose admission would change nothing. */
  readonly canAdmit?: boolean;
}

/** The judgements that are possible on what waits. */
export function EventButtons({ subject, canAdmit = true }: EventButtonsProps) {
  const open = useOpenAct();
  const command = useCommand();
  const name = nameOf(subject);
  const isAdmitted = canAdmit && admitChoice(subject).isOffered;
  return (
    <div class="act-buttons">
      {isAdmitted && (
        <button
          type="button"
          class="button"
          aria-label={`Admit ${name}`}
          onClick={() => open({ act: 'admit', subject })}
        >
          Admit
        </button>
      )}
      {subject.kind === 'event_name' && (
        <CopyButton
          text={command(replayNameCommand(subject))}
          label="Copy the command that replays its events"
        >
          Copy replay command
        </CopyButton>
      )}
      {subject.waits && (
        <button
          type="button"
          class="button"
          aria-label={`Dismiss ${name}`}
          onClick={() => open({ act: 'dismiss', subject })}
        >
          Dismiss
        </button>
      )}
    </div>
  );
}
