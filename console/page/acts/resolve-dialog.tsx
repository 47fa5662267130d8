import type { ActResult, Attention, Mode, Order } from '@payhooks/order-client';
import { effectOf } from '../../../cli/act-effect.ts';
import { attentionSentences } from '../../../lambdas/contract/attention-sentences.ts';
import { getApi } from '../data/api.ts';
import { apiPath } from '../data/href.ts';
import { StatusPill } from '../parts/pills.tsx';
import { Id, Money } from '../parts/values.tsx';
import { ActDialog } from './act-dialog.tsx';
import type { Wait } from './act-flow.ts';
import { outcomeOf } from './act-outcome.tsx';
import { MoneyChanges } from './money-changes.tsx';
import { postAct } from './post-act.ts';
import { printableId } from './printable-id.ts';
import { quoted, resolutionSentence } from './sentences.ts';

interface ResolveDialogProps {
  readonly orderId: string;
  readonly mode: Mode;
  readonly attention: Attention;
  readonly onClose: () => void;
}

/** An attention is resolved for the order as the operator sees it: the preview holds that order. */
interface Preview {
  readonly order: Order;
  readonly result: ActResult;
}

/** Ends an attention of an order. */
export function ResolveDialog({ orderId, mode, attention, onClose }: ResolveDialogProps) {
  const name = printableId(orderId);
  const request = ({ sequence }: Order, fields: object, wait: Wait): Promise<ActResult> => {
    const body = { mode, order_id: orderId, sequence, attention: [attention], ...fields };
    return postAct({ path: '/operations/resolve', body, subject: name, wait });
  };
  return (
    <ActDialog<Preview, ActResult>
      title={`Resolve an attention of ${name}?`}
      parts={{
        choice: attention,
        async preview(wait) {
          const order = await getApi<Order>(apiPath.order(orderId), { mode });
          return { order, result: await request(order, { dry_run: true }, wait) };
        },
        act: ({ order }, reason, wait) => request(order, { reason }, wait),
        effectOf: ({ order, result }) => `${order.sequence} ${effectOf(result)}`,
      }}
      consequence={() => resolutionSentence(orderId, attention)}
      context={({ order }) => (
        <>
          <p>{attentionSentences[attention]}</p>
          <SeenOrder order={order} />
        </>
      )}
      changes={({ result }) => <MoneyChanges orders={result.orders} mode={mode} />}
      unneeded={({ result }) =>
        result.changed ? undefined : `${name} does not list ${quoted(attention)} any more.`
      }
      confirmLabel={`Resolve ${quoted(attention)}`}
      permission="execute-api:Invoke on POST /operations/resolve"
      outcome={({ preview, ...done }) =>
        outcomeOf({ ...done, preview: preview.result, done: `Resolved ${quoted(attention)}.`, orderId })
      }
      onClose={onClose}
    />
  );
}

function SeenOrder({ order }: { readonly order: Order }) {
  return (
    <ul class="seen-order">
      {order.transactions.map(({ id, status, amount, currency }, place) => (
        <li key={`${place}:${id}`}>
          {id === null ? <span class="faint">without a transaction</span> : <Id value={id} />}
          <span class="money-state">
            <StatusPill status={status} />
            <Money amount={amount} currency={currency} />
          </span>
        </li>
      ))}
    </ul>
  );
}
