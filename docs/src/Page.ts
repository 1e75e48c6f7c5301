/** A page of the site. */
export interface Page {
  /** Path below the root of the site, such as `guides/mainnet.md`. */
  readonly path: string
  readonly text: string
}

/** An entry of the sidebar: a link, or a group of entries. */
export interface Entry {
  readonly text: string
  /** Path of a page without `.md`, with a leading slash. */
  readonly link?: string
  readonly items?: readonly Entry[]
  readonly collapsed?: boolean
}

/** Returns the link to a page, such as `/guides/mainnet` for `guides/mainnet.md`. */
export const linkOf = (path: string): string => `/${path.replace(/(?:(?<=^|\/)index)?\.md$/, '')}`

/** Returns the title of a page: its first heading. */
export const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1] ?? ''
