import { builtinModules } from 'node:module'
import { BROWSER_SAFE, NODE_ONLY } from '../Directions.ts'
import type { Rule, Subject, Violation } from '../Rule.ts'
import type { Node, Source } from '../Source.ts'
import { folderOf, isTest } from '../Workspace.ts'

const BUILTIN = new Set(builtinModules)
const GLOBALS = new Set(['Buffer', 'process', 'require', '__dirname', '__filename', 'setImmediate', 'global'])

/**
 * Returns the positions of identifiers that are property names (`x.process`, `{ process: 1 }`) and therefore
 * harmless.
 */
const namePositions = (nodes: readonly Node[]): ReadonlySet<number> => {
  const positions = new Set<number>()
  const mark = (node: unknown) => {
    if (typeof node === 'object' && node !== null && 'start' in node) positions.add(node.start as number)
  }
  for (const node of nodes) {
    const named = node['computed'] !== true
    const isGlobal = (node['object'] as Node | undefined)?.['name'] === 'globalThis'
    if (node.type === 'MemberExpression' && named && !isGlobal) mark(node['property'])
    // A shorthand `{ process }` reads the global variable. The key and the value start at the same position,
    // so the key must not be excluded.
    if (node.type === 'Property' && named && node['shorthand'] !== true) mark(node['key'])
    if (/^(TSPropertySignature|TSMethodSignature|PropertyDefinition|MethodDefinition)$/.test(node.type))
      mark(node['key'])
  }
  return positions
}

const breaches = (source: Source): readonly Violation[] => {
  const owner = folderOf(source.path)
  const names = namePositions(source.nodes)
  const imports = source.imports
    .filter(({ specifier }) => specifier.startsWith('node:') || BUILTIN.has(specifier))
    .map(({ specifier, line }) => ({
      where: `${source.path}:${line}`,
      message: `${owner} runs in a browser, but this file imports ${specifier}`,
    }))
  const globals = source.nodes
    .filter(
      (node) => node.type === 'Identifier' && GLOBALS.has(String(node['name'])) && !names.has(node.start),
    )
    .map((node) => ({
      where: `${source.path}:${source.lineAt(node.start)}`,
      message: `${owner} runs in a browser, but this file uses ${String(node['name'])}`,
    }))
  return [...imports, ...globals]
}

const run = ({ sources }: Subject) => {
  const safe = sources.filter(
    ({ path }) => BROWSER_SAFE.includes(folderOf(path)) && !isTest(path) && !(path in NODE_ONLY),
  )
  return { examined: `${safe.length} sources`, violations: safe.flatMap(breaches) }
}

/** Checks that the sources of browser-safe packages use neither Node's modules nor Node's globals. */
export const browserSafety: Rule = { name: 'browser safety', run }
