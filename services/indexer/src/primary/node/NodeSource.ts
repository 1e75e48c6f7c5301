import { type ChainAlias, excerpt } from '@firn/codec'
import { AvmMethods, type ClientOptions, createClient, IndexMethods, isRpcError } from '@firn/rpc'
import { IndexerError } from '../../common/IndexerError.ts'
import { parseTime } from '../archive/Archive.ts'
import * as DecodedBlock from '../DecodedBlock.ts'
import type { Source, SourceBlock } from '../Source.ts'
import { EvmBlocks, PlatformBlocks } from './nodeMethods.ts'
import { type Clients, decodeBytes, type IndexClient, readBlocks } from './readBlocks.ts'

/** Connection options of one node. */
export interface NodeSourceOptions extends Pick<ClientOptions, 'observe'> {
  /** Base URL without a path, such as `http://127.0.0.1:9650`. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly fetch?: typeof fetch
  /** Timeout of one call in milliseconds; default 10,000. */
  readonly timeoutMs?: number
}

/** Maximum number of containers that a node returns in one answer. */
const MAX_RANGE = 1024
const FIRST_RANGE = 32
/** Number of concurrent requests when each request returns one block. */
const CONCURRENT = 8
/**
 * Number of answers after which the indexer checks again whether a node without an Index API serves one now.
 */
const RETRY_INDEX_AFTER = 1_000
/**
 * Number of consecutive answers without the requested blocks after which the indexer stops waiting for an
 * index that had containers before, and uses the chains' own methods.
 */
const PATIENCE = 8

/** State of a chain's index on the node. */
interface Standing {
  isServed: boolean
  hasServed: boolean
  /** Number of consecutive answers without the requested blocks. */
  misses: number
  answers: number
  /** Heights below this one are missing in the index. */
  holeUntil: bigint
  readonly range: Range
}

/**
 * `size` is the number of containers to request at once. `shift` is the difference between a height and its
 * position in the index: 1 at first, and larger after each gap.
 */
interface Range {
  size: number
  shift: bigint
}

/**
 * Creates a source that reads from one node. Containers come from the node's Index API. If the index is
 * disabled or incomplete, the inner blocks come from the chains' own methods. The source adapts the number of
 * containers per request. The caller must retry failed requests.
 */
export function createNodeSource(options: NodeSourceOptions): Source {
  const origin = new URL(options.url).host
  const clients = createClients(options)
  const standings = new Map<ChainAlias, Standing>()
  const standingOf = (chain: ChainAlias): Standing => {
    const range = { size: FIRST_RANGE, shift: 1n }
    const standing = standings.get(chain) ?? {
      isServed: true,
      hasServed: false,
      misses: 0,
      answers: 0,
      holeUntil: 0n,
      range,
    }
    standings.set(chain, standing)
    standing.answers += 1
    if (!standing.isServed && standing.answers % RETRY_INDEX_AFTER === 0) standing.isServed = true
    return standing
  }
  return {
    name: options.url,
    isFixed: false,
    tip: (chain, signal) => tipOf(chain, clients, standingOf(chain), origin, signal),
    async blocks(chain, from, limit, signal) {
      const standing = standingOf(chain)
      let most = Math.min(limit, CONCURRENT)
      if (standing.isServed && from >= standing.holeUntil) {
        const context = { chain, client: clients.index[chain], range: standing.range, origin, signal }
        const found = await attemptIndex(standing, () => readIndex(context, from, limit))
        if (Array.isArray(found)) {
          standing.hasServed = true
          standing.misses = 0
          return found
        }
        if (found !== undefined && !isGivenUp(standing)) return []
        if (typeof found === 'bigint') standing.holeUntil = found
      }
      if (standing.holeUntil > from) most = Math.min(most, Number(standing.holeUntil - from))
      return readBlocks({ chain, clients, origin, signal }, from, most)
    },
    refuse: () => undefined,
    close: async () => undefined,
  }
}

/**
 * Returns whether to use the chain's own methods instead of the index. An index may briefly lag behind the
 * chain, and a single answer may come from another node behind the same URL, so only repeated misses count.
 */
function isGivenUp(standing: Standing): boolean {
  standing.misses += 1
  return standing.misses >= PATIENCE
}

function createClients(options: NodeSourceOptions): Clients {
  const at = (path: string) => ({ ...options, path })
  const index = (chain: ChainAlias) => createClient(IndexMethods, at(`/ext/index/${chain}/block`))
  return {
    index: { P: index('P'), X: index('X'), C: index('C') },
    platform: createClient(PlatformBlocks, at('/ext/bc/P')),
    avm: createClient(AvmMethods, at('/ext/bc/X')),
    evm: createClient(EvmBlocks, at('/ext/bc/C/rpc')),
  }
}

/**
 * Returns the answer of the index. If the node has no index, returns undefined, and the chain's own methods
 * are used from now on.
 */
async function attemptIndex<T>(standing: Standing, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!isRpcError(error) || error.code !== 'RPC_HTTP' || error.details.httpStatus !== 404) throw error
    if (standing.hasServed && !isGivenUp(standing)) throw error
    standing.isServed = false
    standing.misses = 0
    return undefined
  }
}

/**
 * Returns the height of a chain's last block. On the C-chain, this is the higher of the heights that the index and
 * the EVM report. An enabled index may still be behind or empty, and the EVM may report blocks that are executed but
 * not accepted.
 */
async function tipOf(
  chain: ChainAlias,
  clients: Clients,
  standing: Standing,
  origin: string,
  signal: AbortSignal | undefined,
): Promise<bigint | undefined> {
  const own = { signal }
  if (chain === 'P') return (await clients.platform.call('platform.getHeight', {}, own)).height
  if (chain === 'X') return (await clients.avm.call('avm.getHeight', {}, own)).height
  const [indexed, executed] = await Promise.allSettled([
    standing.isServed
      ? attemptIndex(standing, () => lastIndexed(clients.index.C, origin, signal))
      : undefined,
    clients.evm.call('eth_blockNumber', [], own).then((height) => quantity(height, origin)),
  ])
  const heights = [indexed, executed].flatMap((it) => (it.status === 'fulfilled' ? (it.value ?? []) : []))
  if (heights.length > 0) return heights.toSorted(byHeight).at(-1)
  const failure = [indexed, executed].find((it) => it.status === 'rejected')
  // A node with only the Index API has no EVM endpoint. If its index is empty, its tip is unknown.
  if (indexed.status === 'fulfilled' && standing.isServed) return undefined
  throw failure?.status === 'rejected' ? failure.reason : absent(chain, origin)
}

async function lastIndexed(
  client: IndexClient,
  origin: string,
  signal: AbortSignal | undefined,
): Promise<bigint | undefined> {
  try {
    const last = await client.call('index.getLastAccepted', { encoding: 'hex' }, { signal })
    return DecodedBlock.decode('C', blockOf(last, origin)).height
  } catch (error) {
    if (isEmptyIndex(error)) return undefined
    throw error
  }
}

interface IndexContext {
  readonly chain: ChainAlias
  readonly client: IndexClient
  readonly range: Range
  readonly origin: string
  readonly signal: AbortSignal | undefined
}

/**
 * Returns the containers from a height on. If the index lacks this height, returns the next height that the index
 * has, or `end` if there is none.
 */
async function readIndex(
  context: IndexContext,
  from: bigint,
  limit: number,
): Promise<SourceBlock[] | bigint | 'end'> {
  const { chain, range } = context
  const count = Math.min(limit, range.size)
  let next: bigint | undefined
  let [low, high] = [0n, from - 1n]
  // Heights and index positions both ascend, so a binary search finds the position of a height.
  for (let start = from - range.shift; low <= high; start = (low + high) / 2n) {
    if (start < low || start > high) start = high
    const found = await fetchRange(context, start, count)
    const first = found?.[0]
    if (found === undefined || first === undefined) {
      high = start - 1n
      continue
    }
    const { height } = DecodedBlock.decode(chain, first)
    if (height === from) {
      range.shift = from - start
      return found
    }
    if (height > from) [high, next] = [start - 1n, height]
    else low = start + 1n
  }
  return next ?? 'end'
}

/** Returns the containers of a range; undefined if the range starts beyond the end of the index. */
async function fetchRange(
  { client, range, origin, signal }: IndexContext,
  startIndex: bigint,
  count: number,
): Promise<SourceBlock[] | undefined> {
  try {
    const params = { startIndex, numToFetch: BigInt(count), encoding: 'hex' } as const
    const { containers } = await client.call('index.getContainerRange', params, { signal })
    if (count === range.size) range.size = Math.min(range.size * 2, MAX_RANGE)
    return containers.slice(0, count).map((container) => blockOf(container, origin))
  } catch (error) {
    if (isEmptyIndex(error)) return undefined
    if (isRpcError(error) && ['RPC_TIMEOUT', 'RPC_RESPONSE', 'RPC_TRANSPORT'].includes(error.code)) {
      range.size = Math.max(Math.floor(range.size / 2), 1)
    }
    throw error
  }
}

function blockOf(
  container: { readonly id: Uint8Array; readonly bytes: string; readonly timestamp: string },
  origin: string,
): SourceBlock {
  const { id, bytes, timestamp } = container
  return {
    kind: 'container',
    bytes: decodeBytes(bytes, origin),
    id,
    acceptedAt: parseTime(timestamp, origin),
    origin,
  }
}

function byHeight(a: bigint, b: bigint): number {
  return a < b ? -1 : 1
}

function quantity(text: string, origin: string): bigint {
  if (/^0x[0-9a-f]{1,16}$/i.test(text)) return BigInt(text)
  throw new IndexerError(
    'INDEXER_SOURCE',
    `${origin}: expected a height as a string of digits, got ${excerpt(text)}`,
  )
}

/**
 * Returns whether an error is the node's message for the end of an index. The numbers in the message vary, so
 * only its fixed part is compared.
 */
function isEmptyIndex(error: unknown): boolean {
  const words = isRpcError(error) ? (error.details.rpcMessage ?? '') : ''
  return words === 'no containers have been accepted' || /^start index \(\d+\) > last accepted/.test(words)
}

function absent(chain: ChainAlias, origin: string): IndexerError {
  return new IndexerError('INDEXER_SOURCE', `${origin}: the answer has no height for the ${chain}-chain`)
}
