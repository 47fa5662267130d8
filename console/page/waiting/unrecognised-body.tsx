import type { EventBodies, Mode } from '@payhooks/order-client';
import { useState } from 'preact/hooks';
import { ApiError, getApi } from '../data/api.ts';
import { BodyText } from '../event/body-text.tsx';
import { Failure } from '../parts/loaded.tsx';

interface UnrecognisedBodyProps {
  readonly bodySha256: string;
  readonly mode: Mode;
}

/** The bytes of a body that is no event, once an operator asks for them: nothing else is known of it. */
export function UnrecognisedBody({ bodySha256, mode }: UnrecognisedBodyProps) {
  const [read, setRead] = useState<{ readonly bodies?: EventBodies; readonly error?: ApiError }>({});
  const base64 = read.bodies?.records[0]?.body_base64;
  const load = (): void => {
    getApi<EventBodies>(`/operations/bodies/${bodySha256}`, { mode })
      .then((bodies) => setRead({ bodies }))
      .catch((error: unknown) => {
        setRead({ error: error instanceof ApiError ? error : new ApiError(0, String(error)) });
      });
  };
  if (base64) return <BodyText base64={base64} label="the body" />;
  if (read.bodies !== undefined) return <p class="muted">The bytes are no longer stored.</p>;
  return (
    <>
      <p class="body-bar">
        <button type="button" class="button small" onClick={load}>
          Show the bytes
        </button>
        <span class="faint">They may hold customer data.</span>
      </p>
      {read.error !== undefined && <Failure error={read.error} />}
    </>
  );
}
