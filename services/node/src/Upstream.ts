/** What an upstream node answered, unread. */
export interface UpstreamAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** What goes along with a body. */
export interface UpstreamCall {
  /** `POST` if not given. */
  readonly method?: string
  /** `{ 'content-type': 'application/json' }` if not given. */
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** The nodes behind this one: what a replica can't answer itself is asked there, byte for byte. */
export interface Upstream {
  /**
   * Sends a body to a path, such as `/ext/bc/P`, of the first upstream that answers.
   * @throws NodeError `NODE_UPSTREAM`: none of them answered in time
   */
  call(path: string, body: Uint8Array, call?: UpstreamCall): Promise<UpstreamAnswer>
  /** Returns the result of one JSON-RPC method, arguments and result as JSON. @throws RpcError `RPC_REMOTE` as the upstream said it */
  method(path: string, method: string, params: unknown, signal?: AbortSignal): Promise<unknown>
  /** Base URLs in order of preference, and how each is doing. */
  health(): readonly {
    readonly url: string
    readonly healthy: boolean
    readonly lastError: string | undefined
  }[]
}
