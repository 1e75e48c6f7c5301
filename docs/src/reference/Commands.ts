import { type Entry, linkOf, type Page } from '../Page.ts'
import type { Repository } from '../Repository.ts'
import { CLI, COMMANDS } from '../Sitemap.ts'

/** Returns a page for each command: the sections of the document that is generated from the declared options. */
export const pages = (repository: Repository): readonly Page[] => {
  const [, ...sections] = repository.read(COMMANDS).split(/^## /m)
  return sections.map((section) => {
    const name = section.slice(0, section.indexOf('\n'))
    return { path: `reference/cli/${name.replaceAll(' ', '-')}.md`, text: `# ${section}` }
  })
}

/** Returns the entries of the sidebar. */
export const sidebar = (found: readonly Page[]): readonly Entry[] => [
  { text: CLI.title, link: linkOf(CLI.page) },
  ...found.map(({ path, text }) => ({ text: /^# (.+)$/m.exec(text)?.[1] ?? path, link: linkOf(path) })),
]
