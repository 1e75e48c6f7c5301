import { Bytes, Id, isFirnError } from '@firn/codec'
import { type Client, classify, createClient, type FailureClass, IndexMethods, isRpcError } from '@firn/rpc'
import { IndexerError } from '../../common/IndexerError.ts'
import { parseTime } from '../archive/Archive.ts'
import * as hex from '../hex.ts'
import { refused } from '../VertexFeed.ts'
import type { NodeSourceOptions } from './NodeSource.ts'

/** A vertex in the index of a node. Its bytes have its id, and the rest is not checked yet. */
export interface IndexedVertex {
  readonly id: Uint8Array
  readonly bytes: Uint8Array
  /** Time at which the node accepted the vertex, in nanoseconds since the Unix epoch. */
  readonly acceptedAt: bigint
}

/**
 * The X-chain's vertices in the Index API of one node. A node numbers them in the order in which it accepted them, so
 * parents come before their children, and nodes have different orders.
 */
export interface NodeVertices {
  /** Host of the node, for errors. */
  readonly origin: string
  /** Returns the number of a vertex; undefined if the index does not contain it. */
  numberOf(id: Uint8Array, signal?: AbortSignal): Promise<bigint | undefined>
  /**
   * Returns up to 1,024 vertices in ascending order of their numbers, of which the last one is `last`.
   * @throws IndexerError `INDEXER_BLOCK` if the answer contains something else
   */
  upTo(last: bigint, signal?: AbortSignal): Promise<readonly IndexedVertex[]>
}

/** Maximum number of vertices that a node returns in one answer. */
const MAX_RANGE = 1024
/** Failures after which fewer vertices are requested. */
const OF_SIZE: readonly FailureClass[] = ['timeout', 'unreachable', 'malformed', 'oversize', 'tooLarge']
/** Code of JSON-RPC errors that say nothing about the index. */
const INTERNAL_ERROR = -32603

/** Creates a reader of the vertices of one node. All its methods throw RpcError, and `INDEXER_NO_VERTICES`. */
export function createNodeVertices(options: NodeSourceOptions): NodeVertices {
  const client = createClient(IndexMethods, { ...options, path: '/ext/index/X/vtx' })
  const origin = new URL(options.url).host
  let size = MAX_RANGE
  return {
    origin,
    async numberOf(id, signal) {
      const answer = await ask(origin, () => client.call('index.getIndex', { id }, { signal }))
      return answer?.index
    },
    async upTo(last, signal) {
      const count = last + 1n < BigInt(size) ? Number(last + 1n) : size
      const startIndex = last + 1n - BigInt(count)
      const params = { startIndex, numToFetch: BigInt(count), encoding: 'hex' } as const
      try {
        const answer = await ask(origin, () => client.call('index.getContainerRange', params, { signal }))
        if (count === size) size = Math.min(size * 2, MAX_RANGE)
        return read(answer?.containers ?? [], startIndex, count, origin)
      } catch (error) {
        if (isRpcError(error) && error.details.path !== undefined)
          throw refused('answer', error.message, origin, error)
        // The next answer is smaller, in case that this one was too large or too slow.
        if (isRpcError(error) && OF_SIZE.includes(classify(error))) size = Math.max(size >> 1, 1)
        throw error
      }
    },
  }
}

/**
 * Returns the answer of the index; undefined if the node says that it has no such entry.
 * @throws IndexerError `INDEXER_NO_VERTICES` if the node has no such index
 */
async function ask<T>(origin: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!isRpcError(error)) throw error
    if (error.code === 'RPC_HTTP' && error.details.httpStatus === 404) throw absent(origin, error)
    if (error.code !== 'RPC_REMOTE') throw error
    const { rpcCode, rpcMessage = '' } = error.details
    if (rpcMessage === 'not found' || /^start index \(\d+\) > last accepted/.test(rpcMessage))
      return undefined
    // A node that has the index may limit the rate of requests, or fail.
    if (classify(error) !== 'answered' || rpcCode === INTERNAL_ERROR) throw error
    throw absent(origin, error)
  }
}

/** Creates the error for a node whose index has no vertices, or not the stop vertex. */
export function absent(origin: string, cause?: unknown): IndexerError {
  const words = `${origin} does not serve the X-chain's vertices from before its block 1 (/ext/index/X/vtx). Start that node with --index-enabled and an empty database, or use another node, peers, or an archive.`
  return new IndexerError('INDEXER_NO_VERTICES', words, {
    details: { origin },
    ...(cause === undefined ? {} : { cause }),
  })
}

type Containers =
  Awaited<ReturnType<Client<typeof IndexMethods>['call']>> extends infer Answer
    ? Extract<Answer, { readonly containers: unknown }>['containers']
    : never

function read(containers: Containers, first: bigint, count: number, origin: string): IndexedVertex[] {
  if (containers.length !== count)
    throw refused(
      'count',
      `expected ${count} vertices from number ${first} on, got ${containers.length}`,
      origin,
    )
  return containers.map(({ id, bytes: text, timestamp, index }, i) => {
    const name = Id.format(id)
    const number = first + BigInt(i)
    if (index !== number)
      throw refused('number', `expected number ${number}, got ${index} for ${name}`, origin)
    const bytes = decoded(text, name, origin)
    if (!Bytes.equals(Id.hash(bytes), id))
      throw refused('id', `the bytes of ${name} have the id ${Id.format(Id.hash(bytes))}`, origin)
    return { id, bytes, acceptedAt: timeOf(timestamp, name, origin) }
  })
}

function decoded(text: string, name: string, origin: string): Uint8Array {
  try {
    return hex.decodeChecked(text)
  } catch (cause) {
    if (!isFirnError(cause)) throw cause
    throw refused('bytes', `${name}: ${cause.message}`, origin, cause)
  }
}

function timeOf(text: string, name: string, origin: string): bigint {
  try {
    return parseTime(text, name)
  } catch (cause) {
    if (!isFirnError(cause)) throw cause
    throw refused('time', cause.message, origin, cause)
  }
}
