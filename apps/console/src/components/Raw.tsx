import { clean } from '../format/ChainText.ts'

/** Text as it is, in a box that scrolls. Invisible characters are replaced. */
export function Raw({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    // A box that scrolls must be reachable with the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys scroll the focused box
    <section class="raw" aria-label={name} tabIndex={0}>
      {text
        .split('\n')
        .map((line) => clean(line, line.length))
        .join('\n')}
    </section>
  )
}
