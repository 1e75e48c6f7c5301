import { useState } from 'preact/hooks'
import { shorten } from '../format/Ids.ts'
import { useSettings } from '../state/Settings.ts'

/**
 * An id in monospace, shortened in the middle, with a button that copies all of it. The full text is shown on focus and
 * hover, and is what screen readers say. A label of the user is shown instead.
 */
export function Id({
  id,
  href,
  isWhole = false,
}: {
  readonly id: string
  /** Link to the page of the thing. */
  readonly href?: string | undefined
  /** Whether to show the id unshortened. */
  readonly isWhole?: boolean
}) {
  const label = useSettings().labels[id]
  const text = isWhole ? id : shorten(id)
  const shown = (
    <>
      {label !== undefined && <span class="label">{label}</span>}
      {text === id ? (
        id
      ) : (
        <>
          <span aria-hidden="true">{text}</span>
          <span class="hidden">{id}</span>
        </>
      )}
    </>
  )
  const classes = isWhole ? 'id id-whole' : 'id'
  return (
    <span class={classes} data-full={text === id ? undefined : id}>
      {href === undefined ? <span class="id-text">{shown}</span> : <a href={href}>{shown}</a>}
      <CopyButton text={id} />
    </span>
  )
}

const SHOWN_MS = 1_500

/** A button that copies a text. */
export function CopyButton({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  return (
    <button
      type="button"
      class="copy"
      title="Copy"
      aria-label={isCopied ? 'Copied' : `Copy ${shorten(text)}`}
      onClick={() => void copy().catch(() => setCopied(false))}
    >
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        {isCopied ? <path d="M3 8.5 6.5 12 13 4.5" /> : <path d="M5.5 5.5h7v8h-7zM10.5 5.5v-3h-7v8h2" />}
      </svg>
    </button>
  )
}
