import type { ComponentChildren } from 'preact'

/** A part of a page with a heading. */
export function Panel({
  title,
  isPlain = false,
  actions,
  children,
}: {
  readonly title: string
  /** Whether the heading is left out, because the title of the page says the same. */
  readonly isPlain?: boolean
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}) {
  return (
    <section class="panel" aria-label={title}>
      {!isPlain && (
        <div class="panel-head">
          <h2>{title}</h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  )
}
