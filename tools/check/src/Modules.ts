import { posix } from 'node:path'
import type { Node, Source } from './Source.ts'
import type { Workspace } from './Workspace.ts'

/** A function of a module: its location, its syntax tree, and its documentation comment. */
export type ModuleFunction = {
  readonly path: string
  readonly name: string
  readonly line: number
  readonly node: Node
  /** Text of the comment before the declaration, without its delimiters; empty if there is none. */
  readonly doc: string
  /** Line number in the file at which `doc` starts. */
  readonly docLine: number
}

/** The value to which a name is bound: a function, a whole module (`import * as X`), or another value. */
export type Binding =
  | { readonly kind: 'function'; readonly function: ModuleFunction }
  | { readonly kind: 'namespace'; readonly path: string }
  | { readonly kind: 'value' }

/** Modules of a workspace, with names resolved across files and packages. */
export type Modules = {
  /** Returns the binding of `name` inside the module at `path`; undefined if there is none. */
  local(path: string, name: string): Binding | undefined
  /** Returns the binding that the module at `path` exports as `name`; undefined if there is none. */
  exported(path: string, name: string): Binding | undefined
  /** Returns the names that the module at `path` exports as values. */
  names(path: string): readonly string[]
  /** Returns the sources of a package's entry points, except those for tests. */
  entries(folder: string): readonly string[]
}

type Exports = Readonly<Record<string, string | { readonly source?: string }>>
type Reference =
  | { readonly local: string }
  | { readonly from: string; readonly name: string }
  | { readonly from: string; readonly whole: true }

type Module = {
  readonly declared: Map<string, Binding>
  readonly imported: Map<string, Reference>
  readonly exported: Map<string, Reference>
  readonly stars: string[]
}

export const child = (node: unknown, key: string): Node | undefined => {
  const value = (node as Node | undefined)?.[key]
  return typeof value === 'object' && value !== null && 'type' in value ? (value as Node) : undefined
}

export const children = (node: unknown, key: string): readonly Node[] => {
  const value = (node as Node | undefined)?.[key]
  return Array.isArray(value) ? (value as readonly Node[]) : []
}

const textOf = (node: unknown): string => {
  const { name, value } = (node ?? {}) as { name?: unknown; value?: unknown }
  return String(name ?? value ?? '')
}

const WRAPPERS = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'ParenthesizedExpression',
  'TSNonNullExpression',
])

/**
 * Returns the function in an expression, after removing type assertions; undefined if the expression is not a
 * function.
 */
export const functionIn = (node: Node | undefined): Node | undefined => {
  if (node === undefined) return undefined
  if (WRAPPERS.has(node.type)) return functionIn(child(node, 'expression'))
  return /^(ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/.test(node.type)
    ? node
    : undefined
}

const docOf = (source: Source, statement: Node): Pick<ModuleFunction, 'doc' | 'docLine'> => {
  const comment = source.comments.find(
    ({ type, value, end }) =>
      type === 'Block' &&
      value.startsWith('*') &&
      end <= statement.start &&
      source.text.slice(end, statement.start).trim() === '',
  )
  return comment ? { doc: comment.value, docLine: source.lineAt(comment.start) } : { doc: '', docLine: 0 }
}

const declare = (source: Source, statement: Node, declaration: Node, into: Module['declared']) => {
  const add = (name: string, node: Node | undefined) => {
    const known = into.get(name)
    // The first signature of an overloaded function has the documentation; the last one has the body.
    const doc =
      known?.kind === 'function' && known.function.doc !== '' ? known.function : docOf(source, statement)
    const { path } = source
    into.set(
      name,
      node
        ? {
            kind: 'function',
            function: {
              path,
              name,
              line: source.lineAt(statement.start),
              node,
              doc: doc.doc,
              docLine: doc.docLine,
            },
          }
        : { kind: 'value' },
    )
  }
  if (/^(FunctionDeclaration|TSDeclareFunction)$/.test(declaration.type))
    add(textOf(child(declaration, 'id')), declaration)
  else if (declaration.type === 'ClassDeclaration') add(textOf(child(declaration, 'id')), undefined)
  else
    for (const declarator of children(declaration, 'declarations'))
      add(textOf(child(declarator, 'id')), functionIn(child(declarator, 'init')))
}

const addImports = (statement: Node, from: string | undefined, module: Module): void => {
  if (from === undefined) return
  for (const item of children(statement, 'specifiers')) {
    const isWhole = item.type === 'ImportNamespaceSpecifier'
    const reference = isWhole
      ? ({ from, whole: true } as const)
      : { from, name: textOf(child(item, 'imported')) }
    module.imported.set(textOf(child(item, 'local')), reference)
  }
}

const addStar = (statement: Node, from: string | undefined, module: Module): void => {
  if (from === undefined || statement['exportKind'] === 'type') return
  const name = child(statement, 'exported')
  if (name) module.exported.set(textOf(name), { from, whole: true })
  else module.stars.push(from)
}

const addExports = (source: Source, statement: Node, from: string | undefined, module: Module): void => {
  if (statement['exportKind'] === 'type') return
  const declaration = child(statement, 'declaration')
  if (declaration) {
    const before = new Set(module.declared.keys())
    declare(source, statement, declaration, module.declared)
    for (const name of module.declared.keys())
      if (!before.has(name)) module.exported.set(name, { local: name })
  }
  const isForeign = child(statement, 'source') !== undefined && from === undefined
  for (const item of children(statement, 'specifiers')) {
    if (item['exportKind'] === 'type' || isForeign) continue
    const local = textOf(child(item, 'local'))
    module.exported.set(textOf(child(item, 'exported')), from ? { from, name: local } : { local })
  }
}

const read = (source: Source, resolve: (specifier: string) => string | undefined): Module => {
  const module: Module = { declared: new Map(), imported: new Map(), exported: new Map(), stars: [] }
  for (const statement of children(source.nodes[0], 'body')) {
    const specifier = child(statement, 'source')
    const from = specifier && resolve(textOf(specifier))
    if (statement.type === 'ImportDeclaration') addImports(statement, from, module)
    else if (statement.type === 'ExportAllDeclaration') addStar(statement, from, module)
    else if (statement.type === 'ExportNamedDeclaration') addExports(source, statement, from, module)
    else declare(source, statement, statement, module.declared)
  }
  return module
}

const sourcesOf = (workspace: Workspace, folder: string): ReadonlyMap<string, string> => {
  const { exports = {} } = (workspace.packages.find((owner) => owner.folder === folder)?.manifest ?? {}) as {
    exports?: Exports
  }
  return new Map(
    Object.entries(exports).flatMap(([subpath, target]) => {
      const file = typeof target === 'string' ? target : target.source
      return file ? [[subpath, posix.join(folder, file)] as const] : []
    }),
  )
}

/** Creates the module lookup of a workspace from its parsed sources. */
export const create = (workspace: Workspace, sources: readonly Source[]): Modules => {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const cache = new Map<string, Module>()
  const resolve = (path: string) => (specifier: string) => {
    if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier)
    const owner = workspace.packages.find(
      ({ name }) => specifier === name || specifier.startsWith(`${name}/`),
    )
    return owner && sourcesOf(workspace, owner.folder).get(`.${specifier.slice(owner.name.length)}`)
  }
  const moduleAt = (path: string): Module | undefined => {
    const source = byPath.get(path)
    const known = cache.get(path) ?? (source && read(source, resolve(path)))
    if (known) cache.set(path, known)
    return known
  }
  const follow = (path: string, reference: Reference | undefined): Binding | undefined => {
    if (reference === undefined) return undefined
    if ('whole' in reference) return { kind: 'namespace', path: reference.from }
    return 'local' in reference ? local(path, reference.local) : exported(reference.from, reference.name)
  }
  const local = (path: string, name: string): Binding | undefined => {
    const module = moduleAt(path)
    return module?.declared.get(name) ?? follow(path, module?.imported.get(name))
  }
  const exported = (path: string, name: string): Binding | undefined => {
    const module = moduleAt(path)
    const found = follow(path, module?.exported.get(name))
    if (found || !module) return found
    for (const star of module.stars) {
      const there = exported(star, name)
      if (there) return there
    }
    return undefined
  }
  const names = (path: string): readonly string[] => {
    const module = moduleAt(path)
    return module ? [...new Set([...module.exported.keys(), ...module.stars.flatMap(names)])] : []
  }
  const entries = (folder: string) =>
    [...sourcesOf(workspace, folder)].flatMap(([subpath, path]) => (subpath === './testing' ? [] : [path]))
  return { local, exported, names, entries }
}

/** A function that users of a package can call, with the name that they write, such as `Hex.encode`. */
export type PublicFunction = ModuleFunction & { readonly publicName: string }

/**
 * Returns the functions that the entry points of a package export, directly or in a namespace. Each function
 * is listed once.
 */
export const publicFunctions = (modules: Modules, folder: string): readonly PublicFunction[] => {
  const found = new Map<string, PublicFunction>()
  const visit = (path: string, prefix: string) => {
    for (const name of modules.names(path)) {
      const binding = modules.exported(path, name)
      if (binding?.kind === 'namespace') visit(binding.path, `${prefix}${name}.`)
      // A re-exported function is documented in the package that declares it.
      if (binding?.kind !== 'function' || !binding.function.path.startsWith(`${folder}/`)) continue
      const key = `${binding.function.path}#${binding.function.name}`
      if (!found.has(key)) found.set(key, { ...binding.function, publicName: `${prefix}${name}` })
    }
  }
  for (const entry of modules.entries(folder)) visit(entry, '')
  return [...found.values()]
}
