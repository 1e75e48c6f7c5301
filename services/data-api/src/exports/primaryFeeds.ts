import { Json } from '@firn/codec'
import { Transactions } from '@firn/store'
import { DataApiError } from '../http/endpoint/DataApiError.ts'
import type { Body } from '../http/endpoint/Endpoint.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import { addresses as addressList } from '../primary/network/AddressParameter.ts'
import type { DataContext } from '../primary/network/Context.ts'
import * as Names from '../primary/network/Names.ts'
import { primarySnapshots } from '../primary/network/PrimarySnapshots.ts'
import { type AllShapes, namesOf } from '../primary/transactions/listTransactions.ts'
import { type ExportKind, parsed, type Selection } from './ExportKind.ts'
import { type Feed, merge } from './merge.ts'
import type { Column } from './Table.ts'

/** A transaction of the Primary Network in the Data API's format, and the name of its chain. */
interface PrimaryRow {
  readonly chain: Names.ChainName
  readonly body: Readonly<Record<string, Body | undefined>>
}

/** Columns of exports of the Primary Network. */
export const SIMPLE = ['txHash', 'txType', 'blockNumber', 'blockTimestamp', 'value', 'amountBurned'] as const
export const STAKING = [
  ...SIMPLE,
  ...(['nodeId', 'subnetId', 'startTimestamp', 'endTimestamp'] as const),
  ...(['delegationFeePercent', 'estimatedReward', 'rewardTxHash', 'amountStaked'] as const),
]
export const ALL = [
  ...STAKING,
  ...(['blockHash', 'memo', 'sourceChain', 'destinationChain', 'consumedUtxos', 'emittedUtxos'] as const),
]
const INTEGERS = new Set(['blockTimestamp', 'startTimestamp', 'endTimestamp'])

/** Types of transactions that start, change or end stakes. */
export const STAKING_TYPES = [
  ...['AddValidatorTx', 'AddSubnetValidatorTx', 'AddDelegatorTx', 'RewardValidatorTx'],
  ...['AddPermissionlessValidatorTx', 'AddPermissionlessDelegatorTx', 'RemoveSubnetValidatorTx'],
  ...['AddAutoRenewedValidatorTx', 'SetAutoRenewedValidatorConfigTx', 'RewardAutoRenewedValidatorTx'],
]

/** Returns the kind of exports of the Primary Network with some columns, of all or some types of transactions. */
export function primaryTransactions(names: readonly string[], txTypes?: readonly string[]): ExportKind {
  const columns = columnsOf(names)
  return {
    async source({ primary }, { chains, addresses: texts }, range) {
      if (primary === undefined) {
        throw new DataApiError('DATA_NOT_FOUND', 'type: this service does not serve the Primary Network')
      }
      const { context, shapes } = primary
      const parameter = Names.primaryBlockchain(context)
      const parsedChains = chains.map((text) => parsed('options.includeChains', parameter, text))
      const list = addressList(context.constants.hrp)
      const all = texts.flatMap((text) => parsed('options.addresses', list, text))
      const addresses = all.length === 0 ? undefined : all
      if (
        addresses === undefined &&
        (txTypes !== undefined || range.from !== undefined || range.until !== undefined)
      ) {
        throw Parameter.refused('options.addresses', 'addresses, because of the type or the days', 'none')
      }
      const selection = { ...range, addresses, txTypes }
      const feeds = [...new Set(parsedChains)].map((chain) => primaryFeed(context, shapes, chain, selection))
      return merge(columns, feeds)
    },
  }
}

/** Lists of outputs and amounts become JSON text. */
function columnsOf(names: readonly string[]): readonly Column<PrimaryRow>[] {
  const members = names.map((name): Column<PrimaryRow> => {
    const isInteger = INTEGERS.has(name)
    return { name, type: isInteger ? 'integer' : 'text', of: ({ body }) => cell(body[name], isInteger) }
  })
  return [{ name: 'chain', type: 'text', of: ({ chain }) => chain }, ...members]
}

function cell(value: Body | undefined, isInteger: boolean): string | bigint | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'object') return Json.stringify(value as Json.Json)
  return isInteger ? BigInt(value) : String(value)
}

/** Largest number of transactions whose outputs are read at once. */
const MOST_AT_ONCE = 500

/** Returns the transactions of a chain of the Primary Network, as of the heights of the first read. */
function primaryFeed(
  { store }: DataContext,
  shapes: AllShapes,
  chain: Names.ChainName,
  { addresses, from, until, txTypes }: Selection & { readonly txTypes: readonly string[] | undefined },
): Feed<PrimaryRow> {
  const snapshots = primarySnapshots(store)
  return {
    read: async (place, limit) => {
      const { heights, after } = (place as Place | undefined) ?? {}
      const at = heights === undefined ? await snapshots.latest() : await snapshots.at(heights.map(BigInt))
      const pin = snapshots.heights(at).map(String)
      const page = await Transactions.page(store, at, Names.LETTER[chain], {
        addresses,
        names: namesOf(txTypes),
        from,
        until,
        isStaking: false,
        after: after && { height: BigInt(after[0]), ordinal: after[1] },
        order: 'asc',
        limit: Math.min(limit, MOST_AT_ONCE),
      })
      const bodies = await shapes[chain].shapes(at, page)
      return page.map(({ height, ordinal, time }, i) => ({
        row: { chain, body: bodies[i] as PrimaryRow['body'] },
        time,
        after: { heights: pin, after: [String(height), ordinal] },
      }))
    },
  }
}

/** The heights of the first read, and the last transaction that was read. */
interface Place {
  readonly heights: readonly string[]
  readonly after: readonly [height: string, ordinal: number]
}
