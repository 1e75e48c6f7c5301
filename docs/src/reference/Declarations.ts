import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Application, type SomeType } from 'typedoc'
import { MarkdownTheme, MarkdownThemeContext } from 'typedoc-plugin-markdown'
import { DocsError } from '../DocsError.ts'
import type { Repository } from '../Repository.ts'

/** Maximum length of a type within another one. Longer types are shortened to their names. */
const MAX_TYPE_LENGTH = 260

const shortened = (type: SomeType, full: string): string => {
  if (full.length <= MAX_TYPE_LENGTH) return full
  if (type.type === 'reference') return `${full.split('\\<')[0]}\\<…\\>`
  return type.type === 'reflection' ? '\\{ … \\}' : full
}

/** A theme that shortens long types. The types of binary layouts would otherwise fill whole pages. */
class ShortTypesTheme extends MarkdownTheme {
  override getRenderContext(page: Parameters<MarkdownTheme['getRenderContext']>[0]): MarkdownThemeContext {
    const context = new MarkdownThemeContext(this, page, this.application.options)
    const { someType } = context.partials
    context.partials.someType = (type, options) =>
      type === undefined ? someType(type, options) : shortened(type as SomeType, someType(type, options))
    return context
  }
}

/** Returns the text of every file below a folder, by path. */
const readFolder = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md'))
      .sort()
      .map((path) => [path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'utf8')]),
  )

/**
 * Returns the documentation of the exports of all packages as Markdown files, by path. `folder` is an empty folder for
 * temporary files.
 * @throws DocsError `DOCS_REFERENCE`
 */
export async function read(repository: Repository, folder: string): Promise<ReadonlyMap<string, string>> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const files = repository.packages.flatMap(({ entryPoints }) =>
    entryPoints.map(({ file }) => join(repository.root, file)),
  )
  const tsconfig = join(folder, 'tsconfig.json')
  const base = join(repository.root, 'tsconfig.base.json')
  const compilerOptions = { composite: false, noEmit: true, types: ['node'], rootDir: repository.root }
  writeFileSync(tsconfig, JSON.stringify({ extends: base, compilerOptions, files }))
  const out = join(folder, 'markdown')
  const app = await Application.bootstrapWithPlugins({
    entryPoints: files,
    entryPointStrategy: 'resolve',
    basePath: repository.root,
    tsconfig,
    plugin: ['typedoc-plugin-markdown'],
    // The sources are compiled by another version of TypeScript, which reports errors.
    skipErrorChecking: true,
    disableSources: true,
    disableGit: true,
    readme: 'none',
    outputs: [{ name: 'markdown', path: out }],
    excludeInternal: true,
    excludePrivate: true,
    excludeExternals: true,
    logLevel: 'Error',
    ...{
      router: 'module',
      theme: 'short-types',
      hidePageHeader: true,
      hideBreadcrumbs: true,
      parametersFormat: 'table',
      interfacePropertiesFormat: 'table',
      typeDeclarationFormat: 'table',
      typeAliasPropertiesFormat: 'table',
      classPropertiesFormat: 'table',
      enumMembersFormat: 'table',
    },
  })
  app.renderer.defineTheme('short-types', ShortTypesTheme)
  const project = await app.convert()
  if (project === undefined)
    throw new DocsError('DOCS_REFERENCE', 'TypeDoc could not read the packages; run npm run types.')
  await app.generateOutputs(project)
  return readFolder(out)
}
