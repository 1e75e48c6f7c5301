import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as Markdown from './Markdown.ts'
import { type Entry, linkOf, type Page } from './Page.ts'
import type { Repository } from './Repository.ts'
import * as Commands from './reference/Commands.ts'
import * as Errors from './reference/Errors.ts'
import * as OpenApi from './reference/OpenApi.ts'
import * as Packages from './reference/Packages.ts'
import * as Rest from './reference/Rest.ts'
import * as Rpc from './reference/Rpc.ts'
import * as Sitemap from './Sitemap.ts'

/** All pages of the site, and the sidebars of its parts. */
export interface Site {
  readonly pages: readonly Page[]
  readonly sidebar: Readonly<Record<string, readonly Entry[]>>
}

const REFERENCE: Page = {
  path: 'reference/index.md',
  text: `# Reference

Everything on these pages is generated from declarations in the sources, so it describes the version that you have.

- [Packages](./packages/index.md): every export, with types, errors and an example
- [Commands](./cli/index.md): every command of \`firn\` with its options
- [REST](./rest/index.md): every endpoint of the Data API, the Metrics API and the signature aggregator
- [JSON-RPC](./rpc/index.md): every method of the node API
- [Errors by code](./errors.md)
`,
}

const linksTo = (pages: readonly Page[]): string =>
  Rest.sidebar(pages)
    .map(
      ({ text }, index) =>
        `- [${text}](${Markdown.relativeLink('reference/rest/index.md', pages[index]?.path ?? '')})`,
    )
    .join('\n')

const restOverview = (pages: readonly Page[], aggregator: readonly Page[]): Page => ({
  path: 'reference/rest/index.md',
  text: `# REST

A running service describes itself in the same words at \`/openapi.json\` and \`/docs\`.

## Data API and Metrics API

[How to run them](../../guides/data-api.md)

${linksTo(pages)}

## Signature aggregator

[How to run one](../../guides/aggregator.md)

${linksTo(aggregator)}
`,
})

/** Returns the links of a page to the section of a command, in the document of all commands, as links to its page. */
const toCommands =
  (page: string, resolve: Markdown.Resolve): Markdown.Resolve =>
  (target) => {
    const command = /\/commands\.md#(firn-[\w-]+)$/.exec(target)?.[1]
    return command === undefined
      ? resolve(target)
      : Markdown.relativeLink(page, `reference/cli/${command}.md`)
  }

/** Returns the page of a Markdown file of the repository, with its links rewritten to pages. */
const pageOf = (repository: Repository, source: Sitemap.Source, pages: ReadonlyMap<string, string>): Page => {
  const text = repository.read(source.file)
  if (source.file.startsWith('docs/pages/')) return { path: source.page, text }
  const plain = Markdown.withoutTemplates(text)
  return {
    path: source.page,
    text: Markdown.rewriteLinks(
      plain,
      toCommands(source.page, Markdown.toPages(source.file, source.page, pages)),
    ),
  }
}

const escaped = ({ path, text }: Page): Page => ({ path, text: Markdown.withoutTemplates(text) })

/**
 * Creates all pages. `folder` is a folder for temporary files.
 * @throws DocsError `DOCS_PAGE`, `DOCS_REFERENCE`
 */
export async function create(repository: Repository, folder: string): Promise<Site> {
  Sitemap.check(repository)
  const packages = await Packages.create(repository, join(folder, 'typedoc'))
  const commands = Commands.pages(repository)
  const rest = Rest.pages(await OpenApi.ofDataApi(), 'reference/rest')
  const aggregator = Rest.pages(await OpenApi.ofAggregator(), 'reference/rest/aggregator')
  const rpc = Rpc.pages()
  const sources = Sitemap.sources(repository)
  const byFile = new Map(sources.map(({ file, page }) => [file, page]))
  byFile.set(Sitemap.COMMANDS, Sitemap.CLI.page)
  for (const { file, page } of sources) if (file.endsWith('/README.md')) byFile.set(dirname(file), page)
  const itemsOf = (pages: readonly Sitemap.Source[]) =>
    pages.map(({ title, page }) => ({ text: title, link: linkOf(page) }))
  const guides = Sitemap.SECTIONS.map(({ title, pages, isCollapsed = false }) => ({
    text: title,
    collapsed: isCollapsed,
    items: itemsOf(pages),
  }))
  return {
    pages: [
      ...sources.map((source) => pageOf(repository, source, byFile)),
      REFERENCE,
      restOverview(rest, aggregator),
      Rpc.overview(rpc),
      ...[...packages.pages, ...commands, ...rest, ...aggregator, ...rpc, Errors.page(repository)].map(
        escaped,
      ),
    ],
    sidebar: {
      ...packages.sidebars,
      '/reference/': [
        { text: 'Packages', link: '/reference/packages/', collapsed: false, items: packages.sidebar },
        { text: 'Commands', collapsed: true, items: Commands.sidebar(commands) },
        {
          text: 'REST',
          link: '/reference/rest/',
          collapsed: true,
          items: [
            ...Rest.sidebar(rest),
            { text: 'Signature aggregator', collapsed: true, items: Rest.sidebar(aggregator) },
          ],
        },
        { text: 'JSON-RPC', link: '/reference/rpc/', collapsed: true, items: Rest.sidebar(rpc) },
        { text: 'Errors by code', link: '/reference/errors' },
      ],
      '/tutorials/': [{ text: 'Tutorials', items: itemsOf(Sitemap.TUTORIALS.slice(1)) }],
      '/': guides,
    },
  }
}

/** Writes the pages and the sidebars below `folder`, which is emptied first. */
export function write(site: Site, folder: string): void {
  rmSync(join(folder, 'pages'), { recursive: true, force: true })
  for (const { path, text } of site.pages) {
    const file = join(folder, 'pages', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  writeFileSync(join(folder, 'sidebar.json'), JSON.stringify(site.sidebar))
}
