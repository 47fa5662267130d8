import type { Mode, Order, OrderEvents } from '@payhooks/order-client';
import { href } from '../data/href.ts';
import { StatusPill } from '../parts/pills.tsx';
import { counted } from '../parts/texts.ts';
import { Id, Moment, Money } from '../parts/values.tsx';
import { type Move, type TransactionMoves, transactionMoves } from './transaction-moves.ts';

/** Every transaction of an order: its amount, what came in and what went back. */
export function Transactions({ order, details }: { readonly order: Order; readonly details: OrderEvents }) {
  const { transactions, mode } = order;
  return (
    <section class="transactions" aria-label={counted(transactions.length, 'transaction')}>
      {transactionMoves(transactions, details).map((moves, n) => (
        <TransactionCard key={moves.transaction.id ?? n} moves={moves} mode={mode} />
      ))}
    </section>
  );
}

function TransactionCard({ moves, mode }: { readonly moves: TransactionMoves; readonly mode: Mode }) {
  const { transaction, cameIn, wentBack } = moves;
  const { id, status, amount, currency } = transaction;
  return (
    <article class="transaction">
      <header class="transaction-head">
        <span class="transaction-amount">
          <Money amount={amount} currency={currency} />
        </span>
        <StatusPill status={status} />
      </header>
      <p class="transaction-id">
        <span class="faint">transaction</span>{' '}
        {id === null ? 'without an id' : <Id value={id} href={href.transaction(id, mode)} copy />}
      </p>
      <dl class="transaction-moves">
        <Moves
          name="Came in"
          moves={cameIn}
          none={status === 'failed' ? 'nothing: the payment failed' : 'no payment known'}
        />
        <Moves name="Went back" moves={wentBack} none="nothing">
          {wentBack.length > 1 && 'Each is an amount of its own, or the total so far.'}
        </Moves>
      </dl>
    </article>
  );
}

function Moves(props: {
  readonly name: string;
  readonly moves: readonly Move[];
  readonly none: string;
  readonly children?: string | false;
}) {
  const { name, moves, none, children } = props;
  return (
    <div class="transaction-move">
      <dt>{name}</dt>
      <dd>
        {moves.length === 0 && <span class="muted">{none}</span>}
        {moves.map(({ key, amount, currency, at, reports, isOutranked }) => (
          <span key={key} class="transaction-event">
            <Money amount={amount} currency={currency} />{' '}
            <span class="faint">
              <Moment at={at} />
              {reports > 1 && `, ${reports} events report it`}
              {isOutranked && ', does not count'}
            </span>
          </span>
        ))}
        {children && <span class="transaction-event faint">{children}</span>}
      </dd>
    </div>
  );
}
