import type { RecordWithBody } from '@payhooks/order-client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useStack } from '../data/use-api.ts';
import { Code } from '../parts/code.tsx';
import { signatureCommands } from './signature-commands.ts';

/** How the signature was made, and commands with which the reader can check it and send the bytes again. */
export function SignatureExplained({ record }: { readonly record: RecordWithBody }) {
  const { data: stack } = useStack();
  const { body_base64, signature, key_id } = record;
  if (body_base64 === null || stack === undefined) return null;
  const { verify, curl } = signatureCommands({
    ...{ bodyBase64: body_base64, signature, signatureHeader: stack.signature_header },
    webhookUrl: stack.webhook_url,
  });
  return (
    <>
      <OnceOpened summary="Explain the signature">
        <p>
          The payment service computed HMAC-SHA256 over the bytes of the body, exactly as they were sent. The
          key is the account’s private key as text, whole, with its prefix <code>pri_</code>; the one with the
          id <code>{key_id}</code> signed this body. payhooks computed the same: equal digests prove that the
          sender has the key, and that no byte was changed on the way.
        </p>
        <p>
          To check it yourself, run this in bash. The digest must be the signature above; the last line is the
          id of the key that you typed. The command holds customer data.
        </p>
        <Code text={verify} label="the commands that verify the signature" />
      </OnceOpened>
      <OnceOpened summary="Copy as curl">
        <p>
          Posts the same bytes with their signature to {stack.webhook_url}. payhooks sees that it has the
          event already: it responds 202 and nothing changes. The command holds customer data.
        </p>
        <Code text={curl} label="the curl command" />
      </OnceOpened>
    </>
  );
}

/** Customer data is on the page only once the reader has opened it. */
function OnceOpened(props: { readonly summary: string; readonly children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{props.summary}</summary>
      {isOpen && <div class="stack">{props.children}</div>}
    </details>
  );
}
