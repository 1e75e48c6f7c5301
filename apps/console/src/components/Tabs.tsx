/** A view of a page. */
export interface Tab {
  readonly title: string
  readonly href: string
  readonly isCurrent: boolean
}

/** Links to the views of a page. Each view has a separate address. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ title, href, isCurrent }) => (
        <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  )
}
