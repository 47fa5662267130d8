import type { EventBodies, Mode } from '@payhooks/order-client';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { type ApiError, asApiError, getApi } from '../data/api.ts';
import { useStack } from '../data/use-api.ts';
import { Failure, Skeleton } from '../parts/loaded.tsx';
import { BodyText } from './body-text.tsx';

/** What was read on request: bodies never change, and the access log records each reading of them. */
export function useBodies(path: string, mode: Mode, bodySha256?: string) {
  const [read, setRead] = useState<{ data?: EventBodies; error?: ApiError; isLoading?: boolean }>({});
  const load = useCallback((): void => {
    setRead({ isLoading: true });
    getApi<EventBodies>(path, { mode, body_sha256: bodySha256 })
      .then((data) => setRead({ data }))
      .catch((error: unknown) => setRead({ error: asApiError(error) }));
  }, [path, mode, bodySha256]);
  useEffect(() => setRead({}), [load]);
  return { ...read, load };
}

interface ReadButtonProps extends ReturnType<typeof useBodies> {
  readonly words: string;
}

/** The button that reads bodies, and why they cannot be read. */
export function ReadButton({ words, isLoading, error, load }: ReadButtonProps) {
  const isLocal = useStack().data?.kind === 'local';
  if (isLoading) return <Skeleton lines={6} />;
  return (
    <>
      <p class="row">
        <button type="button" class="button" onClick={load}>
          {words}
        </button>
        <span class="faint">
          It holds customer data{isLocal ? '' : ': the access log records that you read it'}.
        </span>
      </p>
      {error !== undefined && <Failure error={error} />}
    </>
  );
}

interface ReadOnRequestProps {
  readonly path: string;
  readonly mode: Mode;
  readonly bodySha256?: string;
  /** Read it without a click, where no access log records that. */
  readonly isAtOnce?: boolean;
  readonly words: string;
  readonly label: string;
}

/** The bytes of one body, once the reader asks for them. */
export function ReadOnRequest(props: ReadOnRequestProps) {
  const { path, mode, bodySha256, isAtOnce = false, words, label } = props;
  const bodies = useBodies(path, mode, bodySha256);
  const isLocal = useStack().data?.kind === 'local';
  useEffect(() => {
    if (isAtOnce && isLocal) bodies.load();
  }, [isAtOnce, isLocal, bodies.load]);
  const [record] = bodies.data?.records.filter((one) => !bodySha256 || one.body_sha256 === bodySha256) ?? [];
  if (record === undefined) return <ReadButton {...bodies} words={words} />;
  if (record.body_base64 === null) return <p class="muted">The bytes are no longer stored.</p>;
  return <BodyText base64={record.body_base64} label={label} />;
}
