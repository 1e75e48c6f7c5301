import { NodeId } from '@firn/codec'
import { Connections } from '@firn/http'
import {
  createListener,
  type Endpoint,
  HttpRules,
  LandingEndpoint,
  type Listener,
  type Routes,
} from '@firn/node-api'
import { Console, type LandingPage } from '@firn/operate'

/** Request timeout in milliseconds. */
const TIMEOUT_MS = 30_000
const IDLE_TIMEOUT_MS = 120_000

/** Contents of a devnet's HTTP server. */
export interface HttpContents {
  readonly routes: Routes
  /** NodeID of the API node, 20 bytes. */
  readonly nodeId: Uint8Array
  readonly page: LandingPage.Content
  /** Returns the endpoint of a path for which there is no route. */
  readonly fallback: (path: string) => Endpoint | undefined
}

/** Creates the HTTP server of a devnet, which does not listen yet. */
export function createHttpServer({ routes, nodeId, page, fallback }: HttpContents): Listener {
  const landing = LandingEndpoint.create(() => page)
  return createListener({
    routes,
    rules: HttpRules.create({ nodeId: NodeId.format(nodeId) }),
    fallback: (path) => (Console.isPath(path) ? landing : fallback(path)),
    connections: Connections.create({ service: 'devnet', prefix: 'firn_devnet' }),
    readTimeoutMs: TIMEOUT_MS,
    readHeaderTimeoutMs: TIMEOUT_MS,
    writeTimeoutMs: TIMEOUT_MS,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
  })
}
