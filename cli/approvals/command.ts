import type { Proposal } from '@payhooks/order-client';
import { actorOf, quoted } from '../../operator/acts/act.ts';
import type { DecisionRequest } from '../../operator/acts/documents.ts';
import { ageOf } from '../../operator/age.ts';
import { openOperations } from '../../operator/apis.ts';
import type { ExitCode } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import { proposalTitle } from '../../operator/sentences/act-titles.ts';
import { nextCommand } from '../../operator/stack/stack.ts';
import { printChanges } from '../acts/changes.ts';
import { type ActOptions, addActOptions, addRunOptions, type RunOptions } from '../acts/options.ts';
import { runAct } from '../acts/run-act.ts';
import { type CommandSetup, chosenMode, examplesOf, sandboxOption } from '../options.ts';
import { readList } from '../read-list.ts';
import { type CommonOptions, type Session, show } from '../session.ts';

const permission = '\nNeeds execute-api:Invoke on the output OperationsInvokeArn.';

export function define({ command: approvals, action }: CommandSetup): void {
  approvals
    .command('list')
    .description('List the acts that wait for another person, with the money before and after')
    .addOption(sandboxOption())
    .addHelpText('after', `${permission}\n${examplesOf('approvals list')}`)
    .action(action(listApprovals));

  addRunOptions(
    approvals
      .command('approve')
      .description('Do what another person has proposed (asks first)')
      .argument('<id>', 'the id of the proposal'),
  )
    .addHelpText(
      'after',
      `
Refused for the identity that proposed it, after seven days, and if it would do something else than what was
proposed.${permission}
${examplesOf('approvals approve ID', 'approvals approve ID --reason "checked with the customer"')}`,
    )
    .action(action(decide('approve')));

  addActOptions(
    approvals
      .command('reject')
      .description('End a proposal without its act; also your own (asks first)')
      .argument('<id>', 'the id of the proposal'),
  )
    .addHelpText('after', `${permission}\n${examplesOf('approvals reject ID --reason "wrong order"')}`)
    .action(action(decide('reject')));
}

type ListOptions = CommonOptions & Pick<ActOptions, 'sandbox'>;

async function listApprovals(session: Session, options: ListOptions): Promise<ExitCode> {
  const { terminal } = session;
  const stack = await session.stack(options);
  const operations = openOperations(stack);
  let required: readonly string[] = [];
  const { rows: proposals } = await readList(session, {
    what: 'what waits',
    limit: Number.POSITIVE_INFINITY,
    request: (cursor) => operations.approvals({ mode: chosenMode(options), cursor }),
    rowsOf(page) {
      required = page.required;
      return page.proposals;
    },
  });
  return show(session, options, {
    document: { required, proposals },
    print() {
      const where = options.sandbox ? ' in the sandbox' : '';
      if (proposals.length === 0) terminal.print(`Nothing waits for another person${where}.`);
      for (const proposal of proposals) {
        printProposal(session, proposal);
        const command = `payhooks approvals approve ${proposal.id}`;
        terminal.print(`→ ${nextCommand(stack, command, chosenMode(options))}\n`);
      }
      const acts = required.length === 0 ? 'none (setting approvals)' : required.join(', ');
      terminal.print(`Acts that need two people: ${acts}`);
    },
  });
}

function printProposal({ terminal, now }: Session, proposal: Proposal): void {
  const { id, act, request, by, at, reason, expires_at, approved, more } = proposal;
  const { mode: _, ...named } = request;
  const fields = Object.entries(named).map(([name, value]) => `${name} ${printable(String(value))}`);
  const title = proposalTitle(proposal, { text: printable, id: printable });
  terminal.print(terminal.style('bold', `${id}  ${title}`));
  terminal.print([act, ...fields].join(', '));
  terminal.print(
    `proposed by ${actorOf(by)} ${ageOf(at, now())} ago: ${quoted(reason)}; expires ${expires_at}`,
  );
  if (approved !== null) terminal.print(`approved by ${actorOf(approved.by)}, and not done to its end`);
  printChanges(terminal, proposal, { verbose: true });
  if (more) terminal.print('and more: a dry run of the approval shows all');
}

/** Approves or rejects. */
const decide =
  (act: DecisionRequest['act']) =>
  (session: Session, id: string, options: RunOptions): Promise<ExitCode> =>
    runAct(session, options, { act, id, mode: chosenMode(options) });
