import type { ComponentChildren } from 'preact'

/** Title of a page, with a sentence about it and actions on the right. */
export function PageHead({
  title,
  kind,
  children,
  actions,
}: {
  readonly title: ComponentChildren
  /** Kind of the thing that the page shows, above the title. */
  readonly kind?: string | undefined
  readonly children?: ComponentChildren
  readonly actions?: ComponentChildren
}) {
  return (
    <header class="page-head">
      <div>
        {kind !== undefined && <p class="kind">{kind}</p>}
        <h1>{title}</h1>
        {children !== undefined && <p class="lead">{children}</p>}
      </div>
      {actions !== undefined && <div class="actions">{actions}</div>}
    </header>
  )
}
