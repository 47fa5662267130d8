import type { OrderChange, OrderSnapshot, Transaction } from '@payhooks/order-client';
import { diffArrays } from 'diff';
import { transactionText } from '../../contract/texts.ts';
import { type DiffLine, visibleText } from '../parts/texts.ts';
import { attentionWords, statusWords, wordFor } from '../parts/words.ts';

/** What an act changes in one order, without what stays; nothing when only its history grows. */
export function changeLines({ before, after }: OrderChange): readonly DiffLine[] {
  const parts = diffArrays(before === null ? [] : linesOf(before), linesOf(after));
  return parts.flatMap(({ added, removed, value }) =>
    added || removed ? value.map((text): DiffLine => ({ sign: added ? '+' : '-', text })) : [],
  );
}

const linesOf = ({ status, transactions, attention }: OrderSnapshot): string[] => [
  `status: ${wordFor(statusWords, status)}`,
  ...transactions.map(transactionLine),
  ...attention.map((name) => `attention: ${wordFor(attentionWords, name)}`),
];

/** Such as `txn-1: payment of 45.00 USD`. */
const transactionLine = (transaction: Transaction): string =>
  visibleText(`${transaction.id ?? 'without a transaction'}: ${transactionText(transaction)}`);
