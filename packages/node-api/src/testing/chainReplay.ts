import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type ChainAlias, Id, Json } from '@firn/codec'
import { AvaxMethods, AvmMethods, IndexMethods, PlatformUtxoMethods, WalletMethods } from '@firn/rpc'
import type { Logger } from '@firn/runtime'
import { Blocks, type Position, type Snapshot, Snapshots, type Store } from '@firn/store'
import { recordedStore } from '@firn/store/testing'
import { createAliases } from '../Aliases.ts'
import * as AvaxApi from '../avax/AvaxApi.ts'
import * as AvmApi from '../avm/AvmApi.ts'
import type { NodeContext } from '../Context.ts'
import * as IndexApi from '../containers/IndexApi.ts'
import type { Span } from '../containers/IndexState.ts'
import { createService, methodError, type Service } from '../Service.ts'
import type { Upstream } from '../Upstream.ts'
import * as platformUtxos from '../utxos/platformUtxos.ts'

/** A request to a recorded node and its response. Of a long response, only the SHA-256 is stored. */
export interface ChainExchange {
  readonly file: string
  readonly port: number
  readonly path: string
  readonly request: string
  readonly response?: string
  readonly sha256?: string
}

/** Returns the exchanges of the given recorded files, in order. */
export function chainExchanges(...files: readonly string[]): readonly ChainExchange[] {
  const packed = readFileSync(new URL('../../vectors/chains.jsonl.gz', import.meta.url))
  const lines = gunzipSync(packed).toString('utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as ChainExchange).filter(({ file }) => files.includes(file))
}

/** A time after all recordings, in milliseconds since 1970. */
const NOW = 1_795_230_000_000

const ignore = () => {}
const SILENT: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore }

/** Blockchain id of the L1 that the recorded local nodes ran. */
const L1 = 'vJHF8BhQ6B2CLVLfoAUX4b2PnTRy4VXWUSaVgCNYZNfSZUnNY'

/**
 * Aliases that were added to chains while the file `admin` was recorded: an existing alias of the chain, and
 * the new alias.
 */
const LATER_NAMES: readonly (readonly [chain: string, alias: string])[] = [
  ['X', 'exchange1795219996'],
  ['C', 'cee1795219996'],
  [L1, 'recorder1795219996'],
  ['X', ''],
  ['X', 'r1795219996'],
  ['X', '2Z36RnQuk1hvsnFeGWzfZUfXNr7w1SjzmDQ78YxfTVNAkDq3nZ'],
]

/** Options of {@link recordedContext}. */
export interface ContextOptions {
  /** Heights of the snapshot; default to the last recorded heights. */
  readonly heights?: Partial<Readonly<Record<ChainAlias, bigint>>>
  /** Whether to include the aliases that were added while the file `admin` was recorded. */
  readonly laterNames?: boolean
  /** Whether the store follows the C-chain; true by default. */
  readonly followsCChain?: boolean
  readonly upstream?: Upstream
}

/** Creates a context of the node API for a recorded network. */
export async function recordedContext(
  name: 'local' | 'helicon',
  { heights = {}, laterNames = false, upstream, followsCChain = true }: ContextOptions = {},
): Promise<NodeContext> {
  const store = await recordedStore(name, followsCChain)
  const network = await store.network()
  if (network === undefined) throw new TypeError('the recorded store is empty')
  const { genesis, constants } = network
  const chains = createAliases()
  for (const [id, names] of [
    [Id.EMPTY, ['P', 'platform']],
    [genesis.xChain.blockchainId, ['X', 'avm']],
    [genesis.cChain.blockchainId, ['C', 'evm']],
    [Id.parse(L1), []],
  ] as const)
    for (const alias of [...names, Id.format(id)]) chains.add(id, alias)
  if (laterNames)
    for (const [chain, alias] of LATER_NAMES) chains.add(chains.lookup(chain)?.id ?? Id.EMPTY, alias)
  const at = await snapshotAt(store, heights)
  const context: Partial<NodeContext> = {
    store,
    genesis,
    constants,
    followsCChain,
    chains,
    snapshot: async () => at,
    now: () => NOW,
    random: () => 0,
    upstream,
    log: SILENT,
  }
  return context as NodeContext
}

async function snapshotAt(
  store: Store,
  heights: Partial<Readonly<Record<ChainAlias, bigint>>>,
): Promise<Snapshot> {
  const end = await store.snapshot()
  const position = async (chain: ChainAlias): Promise<Position> => {
    const height = heights[chain]
    if (height === undefined) return end[chain]
    const block = await Blocks.byHeight(store, end, chain, height)
    return { height, blockId: block?.id ?? Id.EMPTY, time: block?.time ?? 0n }
  }
  return Snapshots.create({ P: await position('P'), X: await position('X'), C: await position('C') })
}

/** Returns the ranges of an index that was always enabled: all heights from 1. */
export const COMPLETE = (): readonly Span[] => [{ first: 1n }]

/** Returns the service for a path; undefined if the chain APIs do not serve the path. */
export function serviceAt(
  context: NodeContext,
  path: string,
  spans: (chain: ChainAlias) => readonly Span[] = COMPLETE,
): Service | undefined {
  switch (path) {
    case '/ext/bc/P':
      return createService(PlatformUtxoMethods, platformUtxos.handlers(context))
    case '/ext/bc/X':
      return createService(AvmMethods, AvmApi.handlers(context))
    case '/ext/bc/X/wallet':
      return createService(WalletMethods, AvmApi.walletHandlers(context))
    case '/ext/bc/C/avax':
      return createService(AvaxMethods, AvaxApi.handlers(context))
    default: {
      const endpoint = IndexApi.ENDPOINTS.find((each) => `/ext/${each.base}${each.endpoint}` === path)
      return endpoint && createService(IndexMethods, IndexApi.handlers(context, endpoint, spans))
    }
  }
}

/** Returns a service's response to a request. */
export async function answerOf(service: Service | undefined, request: string): Promise<string | undefined> {
  const answer = await service?.handle(new TextEncoder().encode(request))
  return answer?.body
}

/** Returns an upstream with the recorded responses to issued transactions. */
export function recordedUpstream(exchanges: readonly ChainExchange[]): Upstream {
  const asked = (path: string, method: string, tx: unknown) =>
    exchanges.find((exchange) => {
      const request = Json.parse(exchange.request) as { method: string; params?: { tx?: unknown } }
      return (
        tx !== undefined && exchange.path === path && request.method === method && request.params?.tx === tx
      )
    })
  return {
    call: async () => ({ status: 404, headers: {}, body: new Uint8Array(0) }),
    targets: () => [],
    health: () => [],
    method: async (path, method, params) => {
      const { tx } = params as { readonly tx: unknown }
      const { error, result } = Json.parse(asked(path, method, tx)?.response ?? '{}') as {
        readonly error?: { readonly message: string }
        readonly result?: Json.Json
      }
      if (error !== undefined) throw methodError(error.message)
      if (result === undefined) throw methodError('no recorded response to this request')
      return result
    },
  }
}
