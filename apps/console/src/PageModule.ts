import type { ComponentType } from 'preact'

/** What a page gets from its address. */
export interface PageProps {
  readonly parameters: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
}

/** A module with a page. */
export interface PageModule {
  readonly Page: ComponentType<PageProps>
}
