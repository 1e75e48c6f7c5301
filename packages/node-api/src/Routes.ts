import type { Endpoint } from './Exchange.ts'
import { methodError } from './Service.ts'

/**
 * A routing table. It maps a base path (`bc/P`) and an endpoint (empty or `/proposervm`) to a handler. An
 * alias is another base path for the same endpoints.
 */
export interface Routes {
  /**
   * Serves an endpoint under `/ext/<base><endpoint>` and under every alias of the base.
   * @throws RpcError `RPC_REMOTE` with the node's text if the path is already in use
   */
  add(base: string, endpoint: string, handler: Endpoint): void
  /**
   * Serves all present and future endpoints of a base under an alias. The base may be added later. Both paths are
   * given without `/ext/`, as in the Admin API: `bc/P`, `info`.
   * @throws RpcError `RPC_REMOTE` `route is either already aliased or already maps to a handle: /ext/…`, or
   * `failed to create endpoint as /ext/… already exists` (the alias stays reserved)
   */
  alias(base: string, alias: string): void
  /** Returns the route of a percent-decoded path. */
  find(path: string): Route | undefined
  /** Returns all served paths. */
  paths(): readonly string[]
  /** Version number of the routes, which increases with every change. */
  readonly version: number
}

/** An endpoint and the base path that leads to it, without `/ext/`. */
export interface Route {
  readonly base: string
  readonly endpoint: Endpoint
}

const ROOT = '/ext/'

/**
 * Creates an empty routing table. Source: avalanchego `api/server/router.go`, 1cf1fc3d17.
 * @example
 * ```ts
 * import { createRoutes, type Endpoint } from '@firn/node-api'
 *
 * declare const endpoint: Endpoint
 * const routes = createRoutes()
 * routes.add('bc/P', '', endpoint)
 * routes.alias('bc/P', 'P') // also serves /ext/P
 * ```
 */
export function createRoutes(): Routes {
  const endpoints = new Map<string, Map<string, Endpoint>>()
  const aliases = new Map<string, string[]>()
  const reserved = new Set<string>()
  const byPath = new Map<string, Route>()
  let version = 0

  /**
   * Adds an endpoint under the base and all its aliases. If a path cannot be added, adds the remaining paths anyway
   * and returns the first error text.
   */
  const addEverywhere = (base: string, name: string, endpoint: Endpoint): string | undefined => {
    const own = endpoints.get(base) ?? new Map<string, Endpoint>()
    if (own.has(name)) return `failed to create endpoint as ${ROOT}${base}${name} already exists`
    endpoints.set(base, own.set(name, endpoint))
    const path = `${ROOT}${base}${name}`
    if (!byPath.has(path)) byPath.set(path, { base, endpoint })
    version += 1
    const problems = (aliases.get(base) ?? []).map((alias) => addEverywhere(alias, name, endpoint))
    return problems.find((problem) => problem !== undefined)
  }

  return {
    add(base, name, endpoint) {
      const problem = reserved.has(base) ? taken(base) : addEverywhere(base, name, endpoint)
      if (problem !== undefined) throw methodError(problem)
    },
    alias(base, alias) {
      if (reserved.has(alias)) throw methodError(taken(alias))
      reserved.add(alias)
      aliases.set(base, [...(aliases.get(base) ?? []), alias])
      const problems = [...(endpoints.get(base) ?? [])].map(([name, endpoint]) =>
        addEverywhere(alias, name, endpoint),
      )
      const problem = problems.find((one) => one !== undefined)
      if (problem !== undefined) throw methodError(problem)
    },
    find: (path) => byPath.get(path),
    paths: () => [...byPath.keys()],
    get version() {
      return version
    },
  }
}

function taken(base: string): string {
  return `route is either already aliased or already maps to a handle: ${ROOT}${base}`
}
