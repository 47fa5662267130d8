/**
 * A sentence that may name ids: an id stands on one line, and ends in an ellipsis where the line is too short
 * for it.
 */
export function Sentence({ text }: { readonly text: string }) {
  return (
    <span class="sentence">
      {text.split(/( )/).map((word, place) =>
        /\w-\w|.{24}/u.test(word) ? (
          <bdi key={place} class="unbroken" title={word}>
            {word}
          </bdi>
        ) : (
          word
        ),
      )}
    </span>
  );
}
