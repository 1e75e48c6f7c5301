import type { RouteList } from '@firn/http'
import type { Server } from '../accessTable.ts'

/** A JSON-RPC method at a path, with the arguments of an ordinary call. For tests only. */
export interface Method {
  readonly path: string
  readonly name: string
  readonly params: Readonly<Record<string, unknown>> | readonly unknown[]
}

/** A server of the walk, as data that one process sends to another. For tests only. */
export interface Door {
  readonly server: Server
  readonly url: string
  readonly routes: readonly RouteList.Route[]
  readonly methods: readonly Method[]
  /** Times that a request may cost what it costs to read and parse its body with `JSON.parse`. */
  readonly factor: number
  /** Maximum sizes of a body and of the headers, in bytes. */
  readonly bodyBytes: number
  readonly headerBytes: number
  /** Headers of a caller with a key by scope; empty if the server has no keys. */
  readonly keys: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Headers of callers whose key is unknown, and whose key has no units left; undefined if there are none. */
  readonly unknownKey: Readonly<Record<string, string>> | undefined
  readonly spentKey: Readonly<Record<string, string>> | undefined
  /** A request that uses up the units of an address quickly; undefined if addresses have no limit. */
  readonly spending: { readonly method: string; readonly path: string; readonly body?: string } | undefined
  /** Values of path parameters, where the default is wrong. */
  readonly parts: Readonly<Record<string, string>>
}

/** What the process of the servers sends when it is ready. For tests only. */
export interface Ready {
  readonly doors: readonly Door[]
  /** URL of the server that only reads, or reads and parses, what it gets. */
  readonly bareUrl: string
}
