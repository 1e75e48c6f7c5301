import { type Endpoint, type Health, LandingEndpoint } from '@firn/node-api'
import { type LandingPage, Operators } from '@firn/operate'
import { VERSION } from './Version.ts'

const ABOUT = {
  name: 'node API',
  description: "A node's JSON-RPC API, served from Firn's own ledger.",
  version: VERSION,
} as const

/** Paths and titles of the links on the landing page. A path below `/ext/` without a route is left out. */
const TITLES: readonly (readonly [path: string, title: string])[] = [
  ['/ext/health', 'Health'],
  ['/ext/metrics', 'Prometheus metrics'],
  ['/ext/info', 'Info methods (JSON-RPC, POST)'],
  ['/ext/bc/P', 'P-Chain methods (JSON-RPC, POST)'],
  ['/ext/bc/X', 'X-Chain methods (JSON-RPC, POST)'],
  ['/ext/bc/C/avax', 'C-Chain atomic transaction methods (JSON-RPC, POST)'],
  ['/ext/index/P/block', 'Index methods (JSON-RPC, POST)'],
  ['/openrpc.json', 'Methods with arguments, results and examples (OpenRPC)'],
  ['https://build.avax.network/docs/rpcs', 'Documentation of the methods'],
]

/**
 * Returns the endpoint of `/` and of the console. GET and HEAD return the console or the landing page. Other methods return the same 404
 * response as a node.
 * @param isServed returns whether a path has a route
 */
export function create(
  health: Health,
  isServed: (path: string) => boolean,
  operators: Operators.Operators,
): Endpoint {
  const links = () =>
    TITLES.filter(([path]) => !path.startsWith('/ext/') || isServed(path)).map(([href, title]) => ({
      href,
      title,
    }))
  return LandingEndpoint.create(() => ({
    ...ABOUT,
    ...stateOf(health),
    links: links(),
    apis: [{ kind: 'node', url: './' }, Operators.apiOf(operators)],
  }))
}

function stateOf(health: Health): LandingPage.State {
  const { healthy, checks } = health.report('health')
  const problems = Object.entries(checks).flatMap(([name, { error }]) =>
    error === undefined ? [] : [`${name}: ${error}`],
  )
  return { status: healthy ? 'up' : 'down', problems }
}
