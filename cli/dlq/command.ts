import { type CommandSetup, examplesOf, yesOption } from '../options.ts';
import { listDeadLetters, showDeadLetter } from './look.ts';
import { redriveDeadLetters } from './redrive.ts';

const permissions = `
On the output DeadLetterQueueArn it needs sqs:GetQueueAttributes, sqs:ReceiveMessage and
sqs:ChangeMessageVisibility, and for the errors logs:StartQuery and logs:GetQueryResults on the consumer's log
group. With operatorRoleArn set, use that role.
`;

export function define({ command: dlq, action }: CommandSetup): void {
  dlq
    .command('list')
    .description('List the messages of the dead-letter queue by their error; none is removed')
    .addHelpText('after', `${permissions}${examplesOf('dlq list', 'dlq list --json')}`)
    .action(action(listDeadLetters));

  dlq
    .command('show <message>')
    .description('Show one message, by its number in the list, its message id or its event id')
    .option('--body', 'print the payload too; it holds customer data')
    .addHelpText('after', `${permissions}${examplesOf('dlq show 1', 'dlq show 1 --body')}`)
    .action(action(showDeadLetter));

  dlq
    .command('redrive')
    .description('Move all messages back to the event queue, whose consumer tries them again (asks first)')
    .option('--again', 'also if messages were redriven before, or cannot be read')
    .addOption(yesOption)
    .addHelpText(
      'after',
      `
Remove the cause first. Ctrl-C cancels the move; what was not moved stays. If a move is active already, the
command follows it and starts none.
${permissions}
It also needs sqs:StartMessageMoveTask, sqs:ListMessageMoveTasks, sqs:CancelMessageMoveTask,
sqs:ListDeadLetterSourceQueues and sqs:DeleteMessage there, and sqs:SendMessage and sqs:GetQueueAttributes on
the event queue.
${examplesOf('dlq redrive', 'dlq redrive --again --yes')}`,
    )
    .action(action(redriveDeadLetters));
}
