import { type ChainAlias, CheckedHex, isFirnError } from '@firn/codec'
import {
  AvaxMethods,
  AvmMethods,
  type Client,
  createUpstreams,
  type MethodTable,
  type Params,
  PlatformMethods,
  type Result,
  Schema,
} from '@firn/rpc'
import type { Clock } from '@firn/runtime'
import { IndexerError } from '../../common/IndexerError.ts'
import * as DecodedBlock from '../DecodedBlock.ts'
import { createNodeSource } from '../node/NodeSource.ts'
import type { Source } from '../Source.ts'

/**
 * A node with which a database is compared. All methods reject with RpcError or IndexerError if the node does
 * not answer.
 */
export interface Reference {
  /** Name of the node, for messages. */
  readonly name: string
  /** Returns the height of a chain's last accepted block. */
  tip(chain: ChainAlias, signal: AbortSignal): Promise<bigint>
  /**
   * Returns the block id (32 bytes) at a height that the node has reached. On the C-chain, the id is the EVM
   * block's hash.
   */
  blockId(chain: ChainAlias, height: bigint, signal: AbortSignal): Promise<Uint8Array>
  readonly platform: Client<typeof PlatformMethods>
  readonly avm: Client<typeof AvmMethods>
  /**
   * Returns the UTXOs of addresses (in the chain's text format) that were exported from `source` to `chain`.
   * If `source` and `chain` are equal, returns the chain's own UTXOs.
   */
  utxos(query: UtxoQuery, signal: AbortSignal): Promise<Utxos>
}

/** Selects UTXOs by addresses and chain. */
export interface UtxoQuery {
  readonly chain: ChainAlias
  readonly source: ChainAlias
  readonly addresses: readonly string[]
}

/** UTXOs as returned by the node. */
export interface Utxos {
  readonly bytes: readonly Uint8Array[]
  /** Whether the list is complete. Only a part of a very long list is read. */
  readonly isWhole: boolean
}

/** Options of {@link createReference}. */
export interface ReferenceOptions {
  /** Base URL without a path, such as `http://127.0.0.1:9650`. */
  readonly url: string
  readonly clock: Clock
  /** Returns random numbers, uniform in [0, 1), for the pauses between attempts. */
  readonly random: () => number
  readonly fetch?: typeof fetch
  /** Timeout of one call in milliseconds; default 10,000. */
  readonly timeoutMs?: number
}

const PAGE = 1024
const MAX_PAGES = 10
const MAX_ANSWERS = 10

const EthMethods = {
  eth_getBlockByNumber: {
    params: Schema.array(Schema.json),
    result: Schema.struct({ hash: Schema.hex(32) }),
  },
} satisfies MethodTable

/**
 * Creates a reference for the node at a URL, without connecting. Requests are retried after transient errors.
 */
export function createReference(options: ReferenceOptions): Reference {
  const { url, clock, random, fetch: ask = fetch, timeoutMs = 10_000 } = options
  const base = url.replace(/\/+$/, '')
  const upstreams = createUpstreams({ endpoints: [{ url: base }], clock, random, fetch: ask, timeoutMs })
  const platform = upstreams.client(PlatformMethods, '/ext/bc/P')
  const avm = upstreams.client(AvmMethods, '/ext/bc/X')
  const avax = upstreams.client(AvaxMethods, '/ext/bc/C/avax')
  const eth = upstreams.client(EthMethods, '/ext/bc/C/rpc')
  const source = createNodeSource({ url: base, fetch: ask, timeoutMs })
  const page: PageReader = {
    P: (params, signal) => platform.call('platform.getUTXOs', params, { signal }),
    X: (params, signal) => avm.call('avm.getUTXOs', params, { signal }),
    C: (params, signal) => avax.call('avax.getUTXOs', params, { signal }),
  }
  return {
    name: new URL(url).host,
    platform,
    avm,
    async tip(chain, signal) {
      return (await source.tip(chain, signal)) ?? 0n
    },
    async blockId(chain, height, signal) {
      try {
        return await indexedId(source, chain, height, signal)
      } catch (error) {
        // A node may serve neither the Index API nor raw blocks of the EVM.
        if (chain !== 'C' || !isFirnError(error) || signal.aborted) throw error
        const number = `0x${height.toString(16)}`
        return (await eth.call('eth_getBlockByNumber', [number, false], { signal })).hash
      }
    },
    utxos: (query, signal) => readUtxos(page[query.chain], query, signal),
  }
}

/**
 * Returns the block id at a height. The source needs several consecutive answers without the block to detect a gap in
 * the node's index; after that, it uses the chain's own methods.
 */
async function indexedId(
  source: Source,
  chain: ChainAlias,
  height: bigint,
  signal: AbortSignal,
): Promise<Uint8Array> {
  for (let count = 0; count < MAX_ANSWERS; count += 1) {
    const [given] = await source.blocks(chain, height, 1, signal)
    if (given !== undefined) return DecodedBlock.decode(chain, given).id
  }
  throw new IndexerError(
    'INDEXER_ABSENT',
    `${source.name} does not return block ${height} of the ${chain}-chain`,
  )
}

type Page = Result<typeof AvmMethods, 'avm.getUTXOs'>
type PageParams = Params<typeof AvmMethods, 'avm.getUTXOs'>
type PageReader = Readonly<Record<ChainAlias, (params: PageParams, signal: AbortSignal) => Promise<Page>>>

async function readUtxos(
  read: PageReader[ChainAlias],
  { chain, source, addresses }: UtxoQuery,
  signal: AbortSignal,
): Promise<Utxos> {
  // A page of UTXOs from another chain starts with the last UTXO of the page before, so skip duplicates.
  const found = new Map<string, Uint8Array>()
  let startIndex: Page['endIndex'] | undefined
  for (let count = 0; count < MAX_PAGES; count += 1) {
    const params = { addresses, limit: PAGE, encoding: 'hex', ...(startIndex && { startIndex }) } as const
    const from = chain === source ? {} : { sourceChain: source }
    const { utxos, endIndex } = await read({ ...params, ...from }, signal)
    const before = found.size
    for (const text of utxos) found.set(text, CheckedHex.decode(text))
    if (utxos.length < PAGE || found.size === before) return { bytes: [...found.values()], isWhole: true }
    startIndex = endIndex
  }
  return { bytes: [...found.values()], isWhole: false }
}
