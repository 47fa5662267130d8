import type { EraseResult, OperationsClient } from '@payhooks/order-client';
import { counted } from '../check-result.ts';
import { printable } from '../printable.ts';
import type { Act } from './act.ts';
import type { ActRequest } from './documents.ts';
import { type PagePerformer, type Whole, wholeOf } from './pages.ts';

/** Erases bodies, and with them customer data. */
export function erase(
  operations: Pick<OperationsClient, 'erase'>,
  { act: _, ...request }: Extract<ActRequest, { readonly act: 'erase' }>,
  { requestPages, signal }: PagePerformer,
): Act<Whole<EraseResult>> {
  const { event_id, order_id, body_sha256 = '' } = request;
  const subject = event_id ?? order_id ?? body_sha256;
  const what =
    order_id === undefined
      ? event_id === undefined
        ? 'the body'
        : 'the bodies of the event'
      : 'the bodies of the order';
  let total: number | undefined;
  return {
    question: () => `Erase ${what} ${printable(subject)}?`,
    async send(given) {
      const pages = await requestPages({
        request: ({ cursor }) =>
          operations.erase({ ...request, ...given, ...(cursor !== undefined && { cursor }) }, { signal }),
        handled: ({ erased }) => erased.length,
        doing: given.dry_run ? 'Reading' : 'Erasing',
        ...{ done: 'erased', what: 'bodies', subject, total, isPreview: given.dry_run },
      });
      const erased = pages.flatMap((page) => page.erased);
      total = erased.length;
      return { ...wholeOf(pages), erased };
    },
    consequence({ erased }) {
      const bytes = erased.reduce((sum, body) => sum + body.bytes, 0);
      const payloads = counted(erased.length, 'stored payload');
      return `Deletes ${payloads} (${bytes} bytes) for good. Amounts, hash and event id stay.`;
    },
    agreed: ({ erased }) => erased,
    unneeded: () => 'No body is stored.',
    done: () => 'Erased. What an erasure does not reach: docs/data.md#erasure',
    recorded: { event_id, order_id },
  };
}
