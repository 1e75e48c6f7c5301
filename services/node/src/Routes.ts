import type { IncomingMessage, ServerResponse } from 'node:http'

/** Answers a request of one endpoint. */
export type Endpoint = (request: IncomingMessage, response: ServerResponse) => void

/** Paths as data: base (`/ext/bc/P`) → endpoint (``, `/proposervm`) → what answers. Aliases are further bases of the same endpoints. */
export interface Routes {
  /**
   * Serves an endpoint under a base, and under every alias of it.
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
  find(path: string): Endpoint | undefined
}
