import { posix } from 'node:path'
import { DocsError } from '../DocsError.ts'
import * as Markdown from '../Markdown.ts'
import { type Entry, linkOf, type Page } from '../Page.ts'
import type { Package, Repository } from '../Repository.ts'
import * as Declarations from './Declarations.ts'

const ROOT = 'reference/packages'

/** A generated file with the page that it becomes. */
interface Module {
  readonly file: string
  readonly page: string
  readonly owner: Package
  /** Name below the package, such as `Quorum`; undefined for the exports of the entry point. */
  readonly name: string | undefined
  readonly text: string
  /** Anchors of the text. */
  readonly anchors: ReadonlySet<string>
}

/** Returns the page of a generated file, such as `packages/warp/src/namespaces/Quorum.md`. */
const moduleOf = (repository: Repository, file: string, text: string): Module | undefined => {
  // A package without namespaces has only the file `src.md`.
  const [, folder, ...path] = file
    .replace(/\/src\.md$/, '/src/README.md')
    .replace('/src/', '/')
    .split('/')
  const owner = repository.packages.find((one) => one.folder === folder)
  if (owner === undefined || path.length === 0) return undefined
  // A number is added to the name of a file if its folder has an export of the same name.
  const name = path
    .filter((part) => part !== 'namespaces')
    .join('/')
    .replace(/(-\d+)?\.md$/, '')
    .replace(/\/?README$/, '')
  const page = `${ROOT}/${folder}/${name === '' ? 'exports' : name}.md`
  const anchors = Markdown.anchorsOf(text)
  return { file, page, owner, name: name === '' ? undefined : name, text, anchors }
}

const importOf = ({ owner, name, file }: Module): string => {
  if (name === undefined) return `import { … } from '${owner.name}'`
  if (file.includes('/namespaces/')) return `import { ${name.split('/').at(-1)} } from '${owner.name}'`
  const entry = owner.entryPoints.find(
    (one) => one.name.toLowerCase() === `${owner.name}/${name}`.toLowerCase(),
  )
  return `import { … } from '${entry?.name ?? `${owner.name}/${name}`}'`
}

/** Returns the list of namespaces as links. Their table would have an empty column of descriptions. */
const withShortIndex = (text: string): string =>
  text.replace(
    /^## Namespaces\n\n\| Namespace \| Description \|\n\|[^\n]*\n((?:\|[^\n]*\n)+)/m,
    (_, rows: string) => {
      const links = [...rows.matchAll(/^\| (\[[^\]]+\]\([^)]+\))/gm)].map(([, link]) => link)
      return `## Namespaces\n\n${links.join(' · ')}\n`
    },
  )

/** Returns the fragment of a link. TypeDoc numbers some anchors as if their heading existed before. */
const fragmentOf = (anchor: string | undefined, { anchors }: Module): string => {
  if (anchor === undefined) return ''
  return `#${anchors.has(anchor) ? anchor : anchor.replace(/-\d+$/, '')}`
}

const pageOf = (module: Module, modules: ReadonlyMap<string, Module>): Page => {
  const title = module.name === undefined ? `Exports of ${module.owner.name}` : module.name
  const body = withShortIndex(module.text.replace(/^# .*\n/, ''))
  const text = Markdown.rewriteLinks(body, (target) => {
    const [path = '', anchor] = target.split('#')
    const linked = path === '' ? module : modules.get(posix.join(posix.dirname(module.file), path))
    if (linked === undefined) return undefined
    return (path === '' ? '' : Markdown.relativeLink(module.page, linked.page)) + fragmentOf(anchor, linked)
  })
  const head = `---\noutline: [2, 3]\n---\n\n# ${title}\n\n\`\`\`js\n${importOf(module)}\n\`\`\`\n`
  return { path: module.page, text: `${head}${text}` }
}

/** Pages of the reference of packages, and their sidebars. */
export interface Reference {
  readonly pages: readonly Page[]
  /** The packages. */
  readonly sidebar: readonly Entry[]
  /** The modules of one package, by the path of its pages. One sidebar with all modules would make all pages large. */
  readonly sidebars: Readonly<Record<string, readonly Entry[]>>
}

const overviewOf = ({ folder, name }: Package): Entry => ({
  text: name,
  link: linkOf(`${ROOT}/${folder}/index.md`),
})

const modulesOf = (owner: Package, modules: readonly Module[]): readonly Entry[] => [
  {
    text: owner.name,
    items: [
      { ...overviewOf(owner), text: 'Overview' },
      ...modules
        .filter((module) => module.owner === owner)
        .toSorted((a, b) => Number(b.name === undefined) - Number(a.name === undefined))
        .map(({ name, page }) => ({ text: name ?? 'Exports', link: linkOf(page) })),
    ],
  },
  { text: 'All packages', link: linkOf(`${ROOT}/index.md`) },
]

const overview = (repository: Repository): Page => {
  const rows = repository.packages.map(
    ({ folder, name, description }) => `| [${name}](./${folder}/index.md) | ${description} |`,
  )
  const text = [
    '# Packages',
    '',
    'Each package has an overview, and a reference that is generated from its sources. Packages are ES modules with types.',
    '',
    '| package | purpose |',
    '| --- | --- |',
    ...rows,
    '',
  ].join('\n')
  return { path: `${ROOT}/index.md`, text }
}

/**
 * Returns the reference of all packages. `folder` is a folder for temporary files.
 * @throws DocsError `DOCS_REFERENCE`
 */
export async function create(repository: Repository, folder: string): Promise<Reference> {
  const files = await Declarations.read(repository, folder)
  const modules = [...files].flatMap(([file, text]) => moduleOf(repository, file, text) ?? [])
  const missing = repository.packages.filter(
    ({ folder }) => !modules.some(({ owner }) => owner.folder === folder),
  )
  if (missing.length > 0)
    throw new DocsError(
      'DOCS_REFERENCE',
      `TypeDoc found no exports of ${missing.map(({ name }) => name).join(', ')}.`,
    )
  const byFile = new Map(modules.map((module) => [module.file, module]))
  return {
    pages: [overview(repository), ...modules.map((module) => pageOf(module, byFile))],
    sidebar: repository.packages.map(overviewOf),
    sidebars: Object.fromEntries(
      repository.packages.map((owner) => [`/${ROOT}/${owner.folder}/`, modulesOf(owner, modules)]),
    ),
  }
}
