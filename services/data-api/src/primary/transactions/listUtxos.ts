import { Hex } from '@firn/codec'
import { type Snapshot, Utxos } from '@firn/store'
import type { Body, Endpoint } from '../../http/endpoint/Endpoint.ts'
import { type List, list } from '../../http/endpoint/List.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { addresses, MAX_ADDRESSES_OF_BODY } from '../network/AddressParameter.ts'
import { Incomplete, incomplete } from '../network/CChain.ts'
import type { DataContext } from '../network/Context.ts'
import * as Names from '../network/Names.ts'
import { perBlock, primarySnapshots } from '../network/PrimarySnapshots.ts'
import { rewardRoles } from '../platform/rewardRoles.ts'
import type { AssetDirectory } from '../shapes/AssetDirectory.ts'
import { AvmUtxo, avmUtxo } from '../shapes/AvmUtxo.ts'
import { ChainInfo } from '../shapes/ChainInfo.ts'
import { PlatformUtxo, platformUtxo } from '../shapes/PlatformUtxo.ts'
import { chainIds } from './platformShapes.ts'

/**
 * `GET …/{blockchainId}/utxos`: spendable outputs of addresses on a chain, including outputs in shared
 * memory, but not staked outputs.
 */
export function listUtxos(context: DataContext, directory: AssetDirectory): Endpoint {
  return list({
    ...common(context, directory),
    operationId: 'getUtxosByAddresses',
    summary: 'Spendable outputs of addresses on a chain, including outputs in shared memory',
    queryParameters: { addresses: addresses(context.constants.hrp), ...filters() },
    pageSize: { fallback: 10, maximum: 100 },
  })
}

/**
 * `POST …/{blockchainId}/utxos`: like {@link listUtxos}, with more addresses in the request body. Every
 * page's request must repeat the body.
 */
export function listUtxosOfMany(context: DataContext, directory: AssetDirectory): Endpoint {
  return list({
    ...common(context, directory),
    operationId: 'getUtxosByAddressesV2',
    summary: 'Spendable outputs of many addresses on a chain, including outputs in shared memory',
    queryParameters: {
      addresses: addresses(context.constants.hrp, MAX_ADDRESSES_OF_BODY),
      ...filters(),
    },
    fromBody: ['addresses'],
    pageSize: { fallback: 10, maximum: 1_024 },
  })
}

type Path = {
  readonly network: Parameter.Parameter<string>
  readonly blockchainId: Parameter.Parameter<Names.ChainName>
}
type Query = ReturnType<typeof filters> & {
  readonly addresses: Parameter.Parameter<readonly Uint8Array[]>
}

const AnyUtxo = Schema.union('AnyUtxo', 'An output of the P-chain, or of the X- or C-chain', [
  PlatformUtxo,
  AvmUtxo,
])

/** Documentation text for filters that no index supports. */
const SEARCHED = `searches at most ${Utxos.MOST_SEARCHED} outputs of the addresses`

function filters() {
  return {
    assetId: Parameter.optional(
      Parameter.described(Names.id, { description: `Id of an asset, in CB58; ${SEARCHED}` }),
    ),
    minUtxoAmount: Parameter.optional(
      Parameter.described(amount, {
        description: `Minimum amount of an output, in the smallest unit of its asset; ${SEARCHED}`,
      }),
    ),
    includeSpent: Parameter.described(Parameter.flag(false), {
      description: `Whether to include spent outputs; ${SEARCHED}`,
    }),
    sortBy: Parameter.described(Parameter.choice(['timestamp', 'amount'], 'timestamp'), {
      description: `What the list is sorted by. Sorting by amount ${SEARCHED}; timestamp is the time since which an output can be spent, which for a returned stake is the end of the stake`,
    }),
    sortOrder: Parameter.choice(['asc', 'desc'], 'desc'),
  }
}

const amount = Parameter.text('a whole number below 2^64', (text) => {
  const value = /^[0-9]{1,20}$/.test(text) ? BigInt(text) : 2n ** 64n
  return value < 2n ** 64n ? value : undefined
})

function common(
  context: DataContext,
  directory: AssetDirectory,
): Omit<
  List<Path, Query, Snapshot, Utxos.RankedUtxo>,
  'operationId' | 'summary' | 'queryParameters' | 'fromBody' | 'pageSize'
> {
  const { store, tokens } = context
  return {
    path: '/v1/networks/{network}/blockchains/{blockchainId}/utxos',
    tag: 'Primary Network',
    scope: 'data',
    units: 20,
    version: perBlock(context),
    pathParameters: { network: Names.network(context), blockchainId: Names.primaryBlockchain(context) },
    snapshots: primarySnapshots(store),
    tokens,
    responseName: 'ListUtxosResponse',
    response: {
      utxos: Schema.list(AnyUtxo, 'Outputs of the page'),
      chainInfo: Schema.as(ChainInfo, 'Chain and network of the outputs'),
      incomplete: Schema.optional(Incomplete),
    },
    read: ({ path, query, at, after, limit }) =>
      read(context, at, path.blockchainId, query, { after: rank(after), limit }),
    keyOf: ({ rank: { value, source, height, ordinal } }) => [
      String(value),
      source,
      String(height),
      String(ordinal),
    ],
    body: async (page, { path: { network, blockchainId }, at }) => ({
      utxos: await shapes(context, directory, at, blockchainId, page),
      chainInfo: { chainName: blockchainId, network },
      ...incomplete(context, 'outputs that the C-chain exported and that can be imported are'),
    }),
  }
}

function rank(after: readonly string[] | undefined): Utxos.Rank | undefined {
  if (after === undefined) return undefined
  const [value = '0', source = 'P', height = '0', ordinal = '0'] = after
  return {
    value: BigInt(value),
    source: source as Utxos.Rank['source'],
    height: BigInt(height),
    ordinal: Number(ordinal),
  }
}

async function read(
  { store }: DataContext,
  at: Snapshot,
  blockchainId: Names.ChainName,
  query: Parameter.Values<Query>,
  page: Pick<Utxos.Query, 'after' | 'limit'>,
): Promise<Utxos.RankedUtxo[]> {
  const { addresses: given, assetId, minUtxoAmount, includeSpent, sortBy, sortOrder } = query
  const chain = Names.LETTER[blockchainId]
  // Duplicate addresses are removed, because each repetition would count an output again.
  const owners = [...new Map(given.map((one) => [Hex.encodeBare(one), one])).values()]
  const selection = { addresses: owners, order: sortOrder, ...page }
  const isPlain =
    assetId === undefined && minUtxoAmount === undefined && !includeSpent && sortBy === 'timestamp'
  if (isPlain) return Utxos.page(store, at, chain, selection)
  const search = { ...selection, sortBy, assetId, minAmount: minUtxoAmount, isSpentToo: includeSpent }
  const found = await Utxos.search(store, at, chain, search)
  if (found !== undefined) return found
  const filtersOf = 'assetId, minUtxoAmount, includeSpent or sortBy=amount'
  throw Parameter.refused(
    'addresses',
    `addresses with at most ${Utxos.MOST_SEARCHED} outputs if ${filtersOf} is used`,
    'more outputs',
  )
}

async function shapes(
  context: DataContext,
  directory: AssetDirectory,
  at: Snapshot,
  blockchainId: Names.ChainName,
  page: readonly Utxos.RankedUtxo[],
): Promise<Body[]> {
  const utxos = page.map(({ utxo }) => utxo)
  const assets = await directory.of(utxos.map(({ assetId }) => assetId))
  const { constants, followsCChain } = context
  const around = { constants, followsCChain, chainIds: chainIds(context), assets }
  if (blockchainId !== 'p-chain') return utxos.map((utxo) => avmUtxo(utxo, around))
  const roles = await rewardRoles(context.store, at, utxos)
  return utxos.map((utxo) => {
    const rewardType = roles.get(Hex.encodeBare(utxo.id))?.rewardType
    return platformUtxo(utxo, around, { rewardType })
  })
}
