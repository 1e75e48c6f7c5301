import { child, children } from '../Modules.ts'
import type { Finding, Rule, Subject, Violation } from '../Rule.ts'
import type { Node, Source } from '../Source.ts'
import { folderOf } from '../Workspace.ts'

/** Number of times that the tests of a folder still depend on wall time. A number may only fall. */
const HELD = 'tools/check/test-clocks.json'

/** What makes a test depend on the speed of the machine, and what to do instead. */
const ADVICE = {
  limits: 'a time limit of a single test or wait; leave it out, because the run has one',
  pauses: 'a wait for wall time; wait for an event, or pass a clock of @firn/runtime/testing',
  deadlines: 'a deadline in wall time; use the signal of an AbortController',
  durations: 'a comparison of wall times; pass a clock, and compare its times',
} as const
type Kind = keyof typeof ADVICE

const DEFINITIONS = /^(it|test|describe|suite|beforeAll|beforeEach|afterAll|afterEach)\b/

const textOf = (source: Source, node: Node | undefined): string =>
  node === undefined ? '' : source.text.slice(node.start, Number(node['end']))

const keysOf = (node: Node | undefined): readonly string[] =>
  node?.type === 'ObjectExpression'
    ? children(node, 'properties').map((property) => String(child(property, 'key')?.['name'] ?? ''))
    : []

const kindOfCall = (source: Source, call: Node): Kind | undefined => {
  const callee = textOf(source, child(call, 'callee')).replaceAll(/\s/g, '')
  const given = children(call, 'arguments')
  const hasTimeout = given.some((argument) => keysOf(argument).includes('timeout'))
  if (callee === 'AbortSignal.timeout') return 'deadlines'
  if (/^(setTimeout|sleep|systemClock\.sleep)$/.test(callee)) return 'pauses'
  if (callee === 'vi.waitFor' || callee === 'vi.waitUntil') return 'limits'
  if (/(expect\.poll|\.waitFor)$/.test(callee) && hasTimeout) return 'limits'
  if (!DEFINITIONS.test(callee)) return undefined
  const isLimited = given.length > 1 && typeof given.at(-1)?.['value'] === 'number'
  return isLimited || hasTimeout ? 'limits' : undefined
}

const NOW = /^(Date|performance)\.now\(\)$/

const kindOf = (source: Source, node: Node): Kind | undefined => {
  if (node.type === 'CallExpression') return kindOfCall(source, node)
  const isDuration =
    node.type === 'BinaryExpression' &&
    node['operator'] === '-' &&
    NOW.test(textOf(source, child(node, 'left')))
  return isDuration ? 'durations' : undefined
}

type Place = { readonly folder: string; readonly kind: Kind; readonly where: string }

const placesIn = (source: Source): readonly Place[] =>
  source.nodes.flatMap((node) => {
    const kind = kindOf(source, node)
    if (kind === undefined) return []
    return [{ folder: folderOf(source.path), kind, where: `${source.path}:${source.lineAt(node.start)}` }]
  })

const violationsOf = (kind: Kind, places: readonly Place[], folder: string, held: number) => {
  if (places.length === held) return []
  const count = `${kind}: ${places.length}, but the folder is held to ${held}`
  if (places.length < held) return [{ where: HELD, message: `${folder}: ${count}; lower the number` }]
  return places.map(({ where }) => ({
    where,
    message: `${ADVICE[kind]}${held > 0 ? ` (${count})` : ''}`,
  }))
}

const run = ({ workspace, sources }: Subject): Finding => {
  const tests = sources.filter(({ path }) => /\.test\.tsx?$/.test(path))
  const places = tests.flatMap(placesIn)
  const held = workspace.files.includes(HELD)
    ? (JSON.parse(workspace.read(HELD)) as Record<string, Partial<Record<Kind, number>>>)
    : {}
  const folders = new Set([...Object.keys(held), ...places.map(({ folder }) => folder)])
  const violations = [...folders].flatMap((folder): readonly Violation[] =>
    (Object.keys(ADVICE) as Kind[]).flatMap((kind) => {
      const found = places.filter((place) => place.folder === folder && place.kind === kind)
      return violationsOf(kind, found, folder, held[folder]?.[kind] ?? 0)
    }),
  )
  const rest = places.length === 0 ? '' : `, ${places.length} places held`
  return { examined: `${tests.length} test files${rest}`, violations }
}

/**
 * Checks that tests depend neither on wall time nor on the speed of the machine. A folder may keep the number of places
 * that `test-clocks.json` states.
 */
export const testClocks: Rule = { name: 'test clocks', run }
