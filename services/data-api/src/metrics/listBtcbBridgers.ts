import { Hex } from '@firn/codec'
import { EvmBridgers, EvmCreations, EvmLogs, type EvmSnapshot, type EvmTokenHolders } from '@firn/evm-store'
import { addressText } from '../evm/chain/addressText.ts'
import { anyChainOf, type EvmChainSource, type EvmContext } from '../evm/chain/EvmContext.ts'
import { evmSnapshots } from '../evm/chain/evmSnapshots.ts'
import { threshold } from '../evm/chain/parameters.ts'
import type { ConcurrencyLimit } from '../http/admission/ConcurrencyLimit.ts'
import { DataApiError } from '../http/endpoint/DataApiError.ts'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Field from '../http/endpoint/Field.ts'
import { latestOf } from '../http/endpoint/List.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import { expensive } from './expensive.ts'
import * as HolderTokens from './HolderTokens.ts'
import { nextPageToken, pageToken } from './parameters.ts'
import type { UuidTokens } from './UuidTokens.ts'

/** The C-chain of Mainnet, and its contract of BTC.b. */
const CHAIN_ID = 43_114n
const BTCB = Hex.decode('0x152b9d0fdc40c096757f570a51e494bd4b943e50')

const Response = Schema.object('BtcbBridgersResponse', 'A page of addresses that have bridged bitcoins', {
  nextPageToken,
  addresses: Schema.list(
    Schema.object('BtcbBridger', 'An address that has bridged bitcoins', {
      address: Field.evmAddress('Address to which BTC.b was minted'),
      sortKey: Schema.text('Net bridged amount in units of 10^-8 BTC.b, as decimal text', '1500000'),
    }),
    'Addresses of the page, highest amount first',
  ),
})

/**
 * `GET /v2/chains/43114/btcb/bridged:getAddresses`: addresses that have bridged more than a threshold from Bitcoin, net. It
 * needs all logs of the BTC.b contract.
 */
export function listBtcbBridgers(context: EvmContext, tokens: UuidTokens, limit: ConcurrencyLimit): Endpoint {
  const endpoint = define({
    method: 'GET',
    path: '/v2/chains/43114/btcb/bridged:getAddresses',
    operationId: 'getAddressesByBtcbBridged',
    summary:
      'Addresses that have bridged more BTC.b than a threshold from Bitcoin, less what they have bridged back, highest amount first',
    tag: 'Metrics',
    scope: 'metrics',
    units: 1_000,
    rows: ({ query }) => query.pageSize,
    pathParameters: {},
    queryParameters: { threshold, pageSize: Parameter.integer(1, 5_000, 1_000), pageToken },
    response: Response,
    handle: async ({ query, signal }) => {
      const source = anyChainOf(context, CHAIN_ID)
      const { store } = source
      const name = `btcb ${query.threshold}`
      const begun = await HolderTokens.open(tokens, name, store, query.pageToken, (range, { height }) =>
        EvmBridgers.within(store, { contract: BTCB, height, ...range }),
      )
      const snapshots = evmSnapshots(store)
      const latest = begun === undefined ? snapshots.latest : async () => begun.at
      return latestOf({ ...snapshots, latest }, signal, async (at) => {
        const found = await read(source, at, { ...query, after: begun?.after })
        const bridgers = found.slice(0, query.pageSize)
        const after = found.length > query.pageSize ? bridgers.at(-1) : undefined
        const addresses = bridgers.map(({ address, balance }) => ({
          address: addressText(address),
          sortKey: String(balance),
        }))
        const nextPageToken = after && HolderTokens.seal(tokens, name, { at, after })
        return { body: { nextPageToken, addresses }, ...snapshots.head(at) }
      })
    },
    version: async () => (await anyChainOf(context, CHAIN_ID).store.snapshot()).key,
  })
  return expensive(limit, endpoint)
}

/** What a page lists. */
interface Page {
  readonly threshold: bigint
  readonly pageSize: number
  readonly after: EvmTokenHolders.Holder | undefined
}

/** Returns the addresses of a page, and the next one. @throws DataApiError `DATA_NOT_FOUND` */
async function read(source: EvmChainSource, at: EvmSnapshot, { threshold, pageSize, after }: Page) {
  const query = { contract: BTCB, height: at.height, threshold, after, limit: pageSize + 1 }
  const found = await EvmBridgers.page(source.store, query)
  // Logs may be pruned while they are read, so this is checked last.
  await assertComplete(source, at)
  return found
}

/**
 * Checks that all logs of the contract are stored. An index that starts later than the chain has them all if it starts
 * before the contract was created.
 * @throws DataApiError `DATA_NOT_FOUND`
 */
async function assertComplete({ chain, store }: EvmChainSource, at: EvmSnapshot): Promise<void> {
  const from = await EvmLogs.matchesCompleteFrom(store, EvmBridgers.logsOf(BTCB))
  if (from === undefined) throw incomplete('the indexer does not store them')
  // Block 0 has no logs.
  if (from <= 1n) return
  if (from <= chain.firstHeight && (await EvmCreations.ofContract(store, at, BTCB)) !== undefined) return
  throw incomplete(`those before block ${from} are not stored`)
}

function incomplete(reason: string): DataApiError {
  const message = `what was bridged is computed from all logs of BTC.b, and ${reason}; index chain ${CHAIN_ID} from its first block with logs, and keep them`
  return new DataApiError('DATA_NOT_FOUND', message)
}
