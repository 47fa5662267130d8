import type { RecordWithBody } from '@payhooks/order-client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useStack } from '../data/stack.ts';
import { Code } from '../parts/code.tsx';
import { counted } from '../parts/texts.ts';
import { bytesOf } from './read-body.ts';
import { curlCommand, verifyCommand } from './signature-commands.ts';

/** How the signature was made, and commands with which the reader can check it and send the bytes again. */
export function SignatureExplained({ record }: { readonly record: RecordWithBody }) {
  const { data: stack } = useStack();
  const { body_base64, signature, key_id } = record;
  if (body_base64 === null || stack === undefined) return null;
  const { signature_header: signatureHeader, webhook_url: webhookUrl } = stack;
  const size = counted(bytesOf(body_base64).length, 'byte');
  return (
    <>
      <details class="explained">
        <summary>Explain the signature</summary>
        <ol>
          <li>
            The payment service took the {size} of the body, exactly as they were sent: before any parser,
            with every space.
          </li>
          <li>
            It computed HMAC-SHA256 over them. The key is the account’s private key as text, whole, with its
            prefix <code>pri_</code>. The key with the id <code>{key_id}</code> signed this body.
          </li>
          <li>
            It wrote the digest as 64 lowercase hexadecimal digits into the header{' '}
            <code>{signatureHeader}</code>.
          </li>
          <li>
            payhooks computed the same from the bytes that arrived, and compared in constant time. Equal
            digests prove that the sender has the key, and that no byte was changed on the way.
          </li>
        </ol>
        <p>To check it yourself, run this in bash. It holds the body, with customer data.</p>
        <OnceOpened summary="Show the commands">
          <Code text={verifyCommand(body_base64)} label="the commands that verify the signature" />
          <p class="faint">
            The first line that is printed must end in the signature above. The last one is the id of the key
            that you typed.
          </p>
        </OnceOpened>
      </details>
      <OnceOpened summary="Copy as curl">
        <p>
          Posts the same bytes with their signature to {webhookUrl}. payhooks sees that it has the event
          already: it responds 202 and nothing changes. The command holds customer data.
        </p>
        <Code
          text={curlCommand({ webhookUrl, signatureHeader, signature, bodyBase64: body_base64 })}
          label="the curl command"
        />
      </OnceOpened>
    </>
  );
}

/** Customer data is on the page only once the reader has opened it. */
function OnceOpened(props: { readonly summary: string; readonly children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="explained" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{props.summary}</summary>
      {isOpen && props.children}
    </details>
  );
}
