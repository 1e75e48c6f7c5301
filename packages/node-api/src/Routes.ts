import type { Endpoint } from './Exchange.ts'
import { methodError } from './Service.ts'

/** Paths as data: base (`bc/P`) → endpoint (``, `/proposervm`) → what answers. Aliases are further bases of the same endpoints. */
export interface Routes {
  /**
   * Serves an endpoint under `/ext/<base><endpoint>`, and under every alias of the base.
   * @throws RpcError `RPC_REMOTE` with the node's text when the path is taken
   */
  add(base: string, endpoint: string, handler: Endpoint): void
  /**
   * Serves all endpoints of a base, present and future, under an alias too. The base needs not exist yet. Both without `/ext/`,
   * as Admin gets them: `bc/P`, `info`.
   * @throws RpcError `RPC_REMOTE` `route is either already aliased or already maps to a handle: /ext/…`, or
   * `failed to create endpoint as /ext/… already exists` (the alias stays reserved)
   */
  alias(base: string, alias: string): void
  /** Returns what answers a path that is percent-decoded. */
  find(path: string): Route | undefined
  /** Returns all paths served now. */
  paths(): readonly string[]
  /** Grows with every change. */
  readonly version: number
}

/** An endpoint and the base that it was found under, without `/ext/`. */
export interface Route {
  readonly base: string
  readonly endpoint: Endpoint
}

const ROOT = '/ext/'

/** Returns a table of routes without any. Source: avalanchego `api/server/router.go`, 1cf1fc3d17. */
export function createRoutes(): Routes {
  const endpoints = new Map<string, Map<string, Endpoint>>()
  const aliases = new Map<string, string[]>()
  const reserved = new Set<string>()
  const byPath = new Map<string, Route>()
  let version = 0

  /** Adds under the base and its aliases; the first failure is told, the rest is added all the same. */
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
