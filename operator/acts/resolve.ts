import type { OperationsClient, Order, OrderClient, Transaction } from '@payhooks/order-client';
import { transactionText } from '../../lambdas/domain/money-text.ts';
import { printable } from '../printable.ts';
import { attentionSentences, attentionWords } from '../sentences/reason-sentences.ts';
import { type Act, type Performer, whenSubjectIsFree } from './act.ts';
import type { ActRequest } from './documents.ts';

interface Clients {
  readonly operations: Pick<OperationsClient, 'resolve'>;
  readonly query: Pick<OrderClient, 'order'>;
}

/**
 * Ends attentions of an order as the operator has seen it: a later change refuses the act. Without a sequence
 * in the request, each dry run reads the order, and the plan shows it.
 */
export function resolve(
  { operations, query }: Clients,
  { act: _, ...request }: Extract<ActRequest, { readonly act: 'resolve' }>,
  { wait, signal }: Performer,
): Act {
  const { order_id, attention, mode } = request;
  const name = printable(order_id);
  const names = attention.map((one) => `“${attentionWords[one]}”`).join(', ');
  let shown: Order | undefined;
  return {
    question: () => `Resolve ${names} of ${name}?`,
    async send(given) {
      if (request.sequence === undefined && (given.dry_run || shown === undefined)) {
        shown = await query.order(order_id, { mode, signal });
      }
      const sequence = request.sequence ?? shown?.sequence ?? 0;
      return whenSubjectIsFree({ wait, subject: name }, () =>
        operations.resolve({ ...request, attention: [...attention], sequence, ...given }, { signal }),
      );
    },
    context: () =>
      shown === undefined
        ? []
        : [...attention.map((one) => attentionSentences[one]), ...shown.transactions.map(transactionLine)],
    // Facts may arrive that change nothing in its money: a second dispute of a payment.
    agreed: () => shown?.sequence,
    consequence: () =>
      `Clears ${names} of ${name} until something new arrives for the order. No money moves.`,
    unneeded: () => `${name} does not list ${names}.`,
    done: () => `Resolved ${names} of ${name}.`,
    recorded: { order_id },
  };
}

/** Such as `txn-1: payment of 45.00 USD, 20.00 returned`. */
const transactionLine = (transaction: Transaction): string =>
  printable(`${transaction.id ?? 'without a transaction'}: ${transactionText(transaction)}`, 200);
