import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
// The newest TypeScript has no compiler API.
import ts from 'typescript-least'
import type { Package } from './Workspace.ts'

/** The text of a declaration, and the declaration. */
type Item = { readonly text: string; readonly node: ts.Node }

const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  noLib: true,
  types: [],
}

/** Creates a host that resolves only modules of the same package, which is all that a report needs. */
const createHost = (): ts.CompilerHost => ({
  ...ts.createCompilerHost(OPTIONS),
  resolveModuleNameLiterals: (literals, file) =>
    literals.map(({ text }) => {
      const path = join(dirname(file), text.replace(/\.(ts|js)$/, '.d.ts'))
      const isOwn = text.startsWith('.') && existsSync(path)
      return {
        resolvedModule: isOwn ? { resolvedFileName: path, extension: ts.Extension.Dts } : undefined,
      }
    }),
})

const printer = ts.createPrinter({ removeComments: true })

const print = (declaration: ts.Declaration): Item => {
  const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
  const text = printer.printNode(ts.EmitHint.Unspecified, node, declaration.getSourceFile())
  return { text: text.replace(/^(export )?(default )?(declare )?/, ''), node: declaration }
}

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Collects the declarations of one package. */
class Collector {
  readonly #checker: ts.TypeChecker
  readonly #seen = new Set<ts.Node>()
  readonly #folder: string

  constructor(checker: ts.TypeChecker, folder: string) {
    this.#checker = checker
    this.#folder = folder
  }

  /** Returns the lines for the exports of a module, with the exports of namespaces under their names. */
  exports(module: ts.Symbol, name = ''): readonly string[] {
    const found = this.#checker
      .getExportsOfModule(module)
      .toSorted((one, other) => byText(one.name, other.name))
      .map((symbol) => ({ symbol, target: this.#resolve(symbol) }))
    const own = found.flatMap(({ symbol, target }) => this.#print(symbol, target))
    const namespaces = found.filter(({ target }) => isModule(target))
    return [
      ...(own.length === 0 ? [] : ['', ...(name === '' ? [] : [`// ${name}`]), ...own]),
      ...namespaces.flatMap(({ symbol, target }) =>
        this.exports(target, name === '' ? symbol.name : `${name}.${symbol.name}`),
      ),
    ]
  }

  /** Returns the lines for declarations that no module exports, but that the types of exports name. */
  referenced(): readonly string[] {
    const queue = [...this.#seen]
    const lines: string[] = []
    for (const node of queue)
      for (const declaration of this.#references(node)) {
        if (this.#seen.has(declaration)) continue
        this.#seen.add(declaration)
        queue.push(declaration)
        lines.push(print(declaration).text)
      }
    return lines.toSorted(byText)
  }

  #resolve(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol
  }

  #print(symbol: ts.Symbol, target: ts.Symbol): readonly string[] {
    if (isModule(target)) return []
    const declarations = target.declarations ?? []
    // A declaration of another package.
    if (declarations.length === 0) return [`export ${symbol.name} // of another package`]
    return declarations.map((declaration) => {
      this.#seen.add(declaration)
      const { text } = print(declaration)
      return symbol.name === target.name ? text : `${text} // as ${symbol.name}`
    })
  }

  #references(node: ts.Node): readonly ts.Declaration[] {
    const found: ts.Declaration[] = []
    const visit = (child: ts.Node): void => {
      if (ts.isIdentifier(child)) {
        const symbol = this.#checker.getSymbolAtLocation(child)
        for (const one of symbol === undefined ? [] : (this.#resolve(symbol).declarations ?? []))
          if (isStatement(one) && one.getSourceFile().fileName.startsWith(this.#folder)) found.push(one)
      }
      ts.forEachChild(child, visit)
    }
    visit(node)
    return found
  }
}

const isModule = (symbol: ts.Symbol): boolean => (symbol.flags & ts.SymbolFlags.ValueModule) !== 0

/** Returns whether a declaration is one of a module, not a member or a parameter. */
const isStatement = (node: ts.Declaration): boolean =>
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isClassDeclaration(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isEnumDeclaration(node) ||
  (ts.isVariableDeclaration(node) && ts.isVariableStatement(node.parent.parent))

const entries = (root: string, { folder, manifest }: Package): readonly (readonly [string, string])[] =>
  Object.entries(manifest.exports ?? {}).flatMap(([subpath, conditions]) => {
    const { types } = conditions as { readonly types?: string }
    return types === undefined ? [] : [[subpath, join(root, folder, types)] as const]
  })

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `\n## ${title}\n\n\`\`\`ts\n${lines.join('\n').trim()}\n\`\`\`\n`

/**
 * Returns the report of each package by its folder: all exported declarations, and those that their types name. The
 * type declarations of the packages must have been built.
 */
export const create = (root: string, packages: readonly Package[]): ReadonlyMap<string, string> => {
  const files = packages.flatMap((owner) => entries(root, owner).map(([, file]) => file))
  const program = ts.createProgram(files, OPTIONS, createHost())
  const checker = program.getTypeChecker()
  const report = (owner: Package): string => {
    const collector = new Collector(checker, join(root, owner.folder, 'dist/'))
    const exported = entries(root, owner).map(([subpath, file]) => {
      const source = program.getSourceFile(file)
      const module = source && checker.getSymbolAtLocation(source)
      return section(`${owner.name}${subpath.slice(1)}`, module ? collector.exports(module) : [])
    })
    return [
      `# API of ${owner.name}\n\n`,
      'Written by `npm run api`: a change of a public type changes a line of this file.\n',
      ...exported,
      section('Types that are not exported', collector.referenced()),
    ].join('')
  }
  return new Map(packages.map((owner) => [relative('.', owner.folder), report(owner)]))
}
