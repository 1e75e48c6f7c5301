import { posix } from 'node:path'
import { TABLE } from '../Directions.ts'
import type { Rule, Subject, Violation } from '../Rule.ts'
import { isTest, type Package, type Workspace } from '../Workspace.ts'

type Reference = { readonly path: string }

const referencesOf = (workspace: Workspace, file: string): readonly string[] => {
  if (!workspace.files.includes(file)) return []
  const { references = [] } = JSON.parse(workspace.read(file)) as { references?: readonly Reference[] }
  return references.map(({ path }) => posix.join(posix.dirname(file), path))
}

const directionBreaches = (
  owner: Package,
  targets: readonly Package[],
  allowed: readonly string[],
  field: string,
) =>
  targets
    .filter(({ folder }) => !allowed.includes(folder))
    .map(
      (target) =>
        `${owner.name} lists ${target.name} in ${field}: the dependency would point in the wrong direction`,
    )

const workspaceNames = (
  workspace: Workspace,
  listed: Readonly<Record<string, string>> = {},
): readonly Package[] => workspace.packages.filter(({ name }) => name in listed)

const manifestBreaches = (workspace: Workspace, owner: Package): readonly string[] => {
  const row = TABLE[owner.folder]
  if (row === undefined)
    return [`${owner.name} has no row in the table of directions (tools/check/src/Directions.ts)`]
  const runtime = workspaceNames(workspace, owner.manifest.dependencies)
  const development = workspaceNames(workspace, owner.manifest.devDependencies)
  const references = referencesOf(workspace, `${owner.folder}/tsconfig.json`)
  const listed = [...runtime, ...development]
  return [
    ...directionBreaches(owner, runtime, row.sources, 'dependencies'),
    ...directionBreaches(owner, development, [...row.sources, ...(row.tests ?? [])], 'devDependencies'),
    ...listed
      .filter(({ folder }) => !references.includes(folder))
      .map(
        ({ name }) =>
          `${owner.name} depends on ${name}, but the package's tsconfig.json has no reference to it`,
      ),
    ...references
      .filter((folder) => !listed.some((target) => target.folder === folder))
      .map(
        (folder) => `${owner.name}'s tsconfig.json refers to ${folder}, which its package.json does not list`,
      ),
  ]
}

/** Returns the texts of the documentation pages of a package. Their examples import libraries. */
const pagesOf = (workspace: Workspace, owner: Package): readonly string[] =>
  workspace.files
    .filter((file) => file.startsWith(`${owner.folder}/pages/`) && file.endsWith('.md'))
    .map((file) => workspace.read(file))

const unusedBreaches = ({ workspace, sources }: Subject, owner: Package): readonly string[] => {
  const pages = pagesOf(workspace, owner)
  const used = (name: string, withTests: boolean) =>
    pages.some((page) => page.includes(`from '${name}`)) ||
    sources.some(
      ({ path, imports }) =>
        path.startsWith(`${owner.folder}/`) &&
        (withTests || !isTest(path)) &&
        imports.some(({ specifier }) => specifier === name || specifier.startsWith(`${name}/`)),
    )
  return [
    ...workspaceNames(workspace, owner.manifest.dependencies)
      .filter(({ name }) => !used(name, false))
      .map(({ name }) => `${owner.name} lists ${name} in dependencies, but no source imports it`),
    ...workspaceNames(workspace, owner.manifest.devDependencies)
      .filter(({ name }) => !used(name, true))
      .map(({ name }) => `${owner.name} lists ${name} in devDependencies, but nothing imports it`),
  ]
}

const run = (subject: Subject) => {
  const { workspace } = subject
  const violations: Violation[] = []
  const rootReferences = referencesOf(workspace, 'tsconfig.json')
  for (const owner of workspace.packages) {
    const where = `${owner.folder}/package.json`
    const messages = [...manifestBreaches(workspace, owner), ...unusedBreaches(subject, owner)]
    violations.push(...messages.map((message) => ({ where, message })))
    const isBuilt = workspace.files.includes(`${owner.folder}/tsconfig.json`)
    if (isBuilt && !rootReferences.includes(owner.folder)) {
      violations.push({
        where: 'tsconfig.json',
        message: `the root tsconfig.json has no reference to ${owner.folder}, so the package is never built`,
      })
    }
  }
  return { examined: `${workspace.packages.length} packages`, violations }
}

/**
 * Checks that the dependencies in each package.json and the references in each tsconfig.json match the
 * dependency table and each other.
 */
export const manifests: Rule = { name: 'manifests', run }
