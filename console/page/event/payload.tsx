import type { Mode } from '@payhooks/order-client';
import { useStack } from '../data/stack.ts';
import { Failure, Skeleton } from '../parts/loaded.tsx';
import { BodyText } from './body-text.tsx';
import { SignatureExplained } from './signature.tsx';
import { useBodies } from './use-bodies.ts';

export interface PayloadProps {
  readonly eventId: string;
  readonly mode: Mode;
  readonly bodySha256: string;
  /** Read it without a click, where no access log records that. */
  readonly isAtOnce: boolean;
}

/** The bytes of one body, once the reader asks for them. */
export function Payload({ eventId, mode, bodySha256, isAtOnce }: PayloadProps) {
  const { data: stack } = useStack();
  const isLocal = stack?.kind === 'local';
  const bodies = useBodies({ eventId, mode, bodySha256, isAtOnce: isAtOnce && isLocal });
  const record = bodies.data?.records.find(({ body_sha256 }) => body_sha256 === bodySha256);
  if (bodies.isLoading) return <Skeleton lines={6} />;
  if (record === undefined) {
    return (
      <>
        <p class="body-bar">
          <button type="button" class="button" onClick={bodies.load}>
            Show payload
          </button>
          <span class="faint">
            It holds customer data{isLocal ? '' : ': the access log records that you read it'}.
          </span>
        </p>
        {bodies.error !== undefined && <Failure error={bodies.error} />}
      </>
    );
  }
  if (record.body_base64 === null) return <p class="muted">The bytes are no longer stored.</p>;
  return (
    <>
      <BodyText base64={record.body_base64} label="the payload" />
      <SignatureExplained record={record} />
    </>
  );
}
