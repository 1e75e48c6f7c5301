import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Endpoint } from './Exchange.ts'
import { createRoutes, type Routes } from './Routes.ts'

type Command =
  | { readonly kind: 'add'; readonly base: string; readonly name: string }
  | { readonly kind: 'alias'; readonly base: string; readonly alias: string }

const bases = fc.constantFrom('a', 'b', 'bc/c', '', 'd', 'e/f')
const names = fc.constantFrom('', '/rpc', '/ws')
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), base: bases, name: names }),
  fc.record({ kind: fc.constant('alias' as const), base: bases, alias: bases }),
)

/** Returns an endpoint that the test can recognize by its label. */
function endpoint(label: string): Endpoint {
  return Object.assign({ handle: () => undefined }, { label })
}

const labelOf = (found: Endpoint | undefined) =>
  (found as (Endpoint & { readonly label: string }) | undefined)?.label

/** Runs a command. Returns the error text if the command is rejected. */
function run(routes: Routes, one: Command, label: string): string | undefined {
  try {
    if (one.kind === 'add') routes.add(one.base, one.name, endpoint(label))
    else routes.alias(one.base, one.alias)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

const table = (routes: Routes) =>
  new Map(routes.paths().map((path) => [path, labelOf(routes.find(path)?.endpoint)]))

/** A model of the node's routing rules that resolves aliases at each lookup. */
class Model {
  readonly reserved = new Set<string>()
  readonly served = new Map<string, string>()
  readonly aliases: [string, string][] = []

  run(one: Command, label: string): string | undefined {
    return one.kind === 'add' ? this.#add(one.base, one.name, label) : this.#alias(one.base, one.alias)
  }

  #add(base: string, name: string, label: string): string | undefined {
    if (this.reserved.has(base)) return taken(base)
    return this.#spread(base, name, label)
  }

  #alias(base: string, alias: string): string | undefined {
    if (this.reserved.has(alias)) return taken(alias)
    this.reserved.add(alias)
    this.aliases.push([base, alias])
    const own = [...this.served].filter(([key]) => key.startsWith(`${base}|`))
    return own
      .map(([key, label]) => this.#spread(alias, key.slice(base.length + 1), label))
      .find((problem) => problem !== undefined)
  }

  #spread(base: string, name: string, label: string): string | undefined {
    if (this.served.has(`${base}|${name}`))
      return `failed to create endpoint as /ext/${base}${name} already exists`
    this.served.set(`${base}|${name}`, label)
    return this.aliases
      .filter(([of]) => of === base)
      .map(([, alias]) => this.#spread(alias, name, label))
      .find((problem) => problem !== undefined)
  }
}

const taken = (base: string) => `route is either already aliased or already maps to a handle: /ext/${base}`

describe('routes', () => {
  test('accepts and rejects the same routes and aliases as a model of the node', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 30 }), (commands) => {
        const [routes, model] = [createRoutes(), new Model()]
        for (const [i, one] of commands.entries()) {
          expect(run(routes, one, `${i}`), JSON.stringify(one)).toBe(model.run(one, `${i}`))
          for (const [key, label] of model.served) {
            const path = `/ext/${key.replace('|', '')}`
            expect(labelOf(routes.find(path)?.endpoint), path).toBe(label)
          }
          expect(routes.paths().length).toBe(new Set(routes.paths()).size)
          expect(routes.paths().length).toBe(model.served.size)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('never changes existing routes when routes or aliases are added', () => {
    fc.assert(
      fc.property(fc.array(command), fc.array(command), (first, second) => {
        const routes = createRoutes()
        for (const [i, one] of first.entries()) run(routes, one, `${i}`)
        const before = table(routes)
        for (const [i, one] of second.entries()) run(routes, one, `later ${i}`)
        const after = table(routes)
        for (const [path, label] of before) expect(after.get(path)).toBe(label)
      }),
    )
  })

  test('builds the same routes in any order of additions if every name occurs once', () => {
    const commands: readonly Command[] = [
      { kind: 'add', base: 'bc/X', name: '' },
      { kind: 'add', base: 'bc/X', name: '/wallet' },
      { kind: 'alias', base: 'bc/X', alias: 'X' },
      { kind: 'alias', base: 'bc/X', alias: 'avm' },
      { kind: 'alias', base: 'avm', alias: 'exchange' },
      { kind: 'add', base: 'info', name: '' },
      { kind: 'alias', base: 'info', alias: 'information' },
      { kind: 'alias', base: 'nothing', alias: 'never' },
    ]
    const shuffled = fc.shuffledSubarray([...commands], { minLength: commands.length })
    fc.assert(
      fc.property(shuffled, (order) => {
        const routes = createRoutes()
        for (const one of order) expect(run(routes, one, one.base)).toBeUndefined()
        const paths = ['bc/X', 'X', 'avm', 'exchange'].flatMap((base) => [base, `${base}/wallet`])
        expect([...routes.paths()].sort()).toEqual(
          [...paths, 'info', 'information'].map((path) => `/ext/${path}`).sort(),
        )
      }),
    )
  })
})
