import { Hex } from '@firn/codec'
import {
  EvmBlocks,
  type EvmSnapshot,
  type EvmStore,
  EvmTransactions,
  EvmTransfers,
  type Range,
} from '@firn/evm-store'
import { chainId, chainOf, type EvmChainSource } from '../evm/chain/EvmContext.ts'
import { assertReached } from '../evm/chain/evmSnapshots.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import { type Contents, type ExportKind, parsed, type Selection } from './ExportKind.ts'
import { type Feed, merge, type Placed } from './merge.ts'
import { type Column, type Source, StaleExport } from './Table.ts'

type OfChain<T> = T & { readonly chainId: bigint }
export type TransactionRow = OfChain<EvmTransactions.Transaction>
type TransferRow = OfChain<EvmTransfers.TransferInBlock>

/** Columns of transactions. Amounts are in wei. Addresses are in lower case. */
export const TRANSACTION_COLUMNS: readonly Column<TransactionRow>[] = [
  { name: 'chainId', type: 'text', of: ({ chainId }) => String(chainId) },
  { name: 'blockNumber', type: 'integer', of: ({ height }) => height },
  { name: 'blockTimestamp', type: 'integer', of: ({ time }) => time },
  { name: 'blockHash', type: 'text', of: ({ blockHash }) => Hex.encode(blockHash) },
  { name: 'transactionIndex', type: 'integer', of: ({ index }) => index },
  { name: 'txHash', type: 'text', of: ({ hash }) => Hex.encode(hash) },
  { name: 'isSuccess', type: 'boolean', of: ({ succeeded }) => succeeded },
  { name: 'txType', type: 'integer', of: ({ type }) => type },
  { name: 'nonce', type: 'text', of: ({ nonce }) => String(nonce) },
  { name: 'from', type: 'text', of: ({ sender }) => Hex.encode(sender) },
  {
    name: 'to',
    type: 'text',
    of: ({ recipient }) => (recipient === null ? undefined : Hex.encode(recipient)),
  },
  { name: 'value', type: 'text', of: ({ value }) => String(value) },
  {
    name: 'methodHash',
    type: 'text',
    of: ({ selector }) => (selector.length === 0 ? undefined : Hex.encode(selector)),
  },
  { name: 'gasLimit', type: 'text', of: ({ gasLimit }) => String(gasLimit) },
  { name: 'gasUsed', type: 'text', of: ({ gasUsed }) => String(gasUsed) },
  { name: 'gasPrice', type: 'text', of: ({ gasPrice }) => String(gasPrice) },
  { name: 'fee', type: 'text', of: ({ gasUsed, gasPrice }) => String(gasUsed * gasPrice) },
]

/** Columns of token transfers. Amounts are in the smallest unit. Addresses are in lower case. */
const TRANSFER_COLUMNS: readonly Column<TransferRow>[] = [
  { name: 'chainId', type: 'text', of: ({ chainId }) => String(chainId) },
  { name: 'blockNumber', type: 'integer', of: ({ height }) => height },
  { name: 'blockTimestamp', type: 'integer', of: ({ time }) => time },
  { name: 'blockHash', type: 'text', of: ({ blockHash }) => Hex.encode(blockHash) },
  { name: 'txHash', type: 'text', of: ({ transactionHash }) => Hex.encode(transactionHash) },
  { name: 'logIndex', type: 'integer', of: ({ logIndex }) => logIndex },
  { name: 'position', type: 'integer', of: ({ position }) => position },
  { name: 'ercType', type: 'text', of: ({ standard }) => `ERC-${standard}` },
  { name: 'contract', type: 'text', of: ({ contract }) => Hex.encode(contract) },
  { name: 'from', type: 'text', of: ({ sender }) => Hex.encode(sender) },
  { name: 'to', type: 'text', of: ({ recipient }) => Hex.encode(recipient) },
  { name: 'tokenId', type: 'text', of: ({ tokenId }) => (tokenId === null ? undefined : String(tokenId)) },
  { name: 'amount', type: 'text', of: ({ amount }) => String(amount) },
]

/** Returns the transactions of a chain. */
function transactionFeed(source: EvmChainSource, selection: Selection): Feed<TransactionRow> {
  return feed(source, selection, async (at, range, after, limit) => {
    const [height, index] = after ?? []
    const place = height === undefined ? undefined : { height: BigInt(height), index: Number(index) }
    const query = { ...range, addresses: selection.addresses, after: place, limit }
    const rows = await EvmTransactions.oldestFirst(source.store, at, query)
    return rows.map((row) => [row, [String(row.height), String(row.index)]])
  })
}

/** Returns the token transfers of a chain. */
function transferFeed(source: EvmChainSource, selection: Selection): Feed<TransferRow> {
  return feed(source, selection, async (at, range, after, limit) => {
    const [height, logIndex, position] = after ?? []
    const place =
      height === undefined || logIndex === undefined
        ? undefined
        : { height: BigInt(height), logIndex: BigInt(logIndex), position: Number(position) }
    const query = { ...range, addresses: selection.addresses, after: place, limit }
    const rows = await EvmTransfers.oldestFirst(source.store, at, query)
    return rows.map((row) => [row, [String(row.height), String(row.logIndex), String(row.position)]])
  })
}

/** What an export contains of chains. */
const SOURCES: {
  readonly [C in Contents]: (chains: readonly EvmChainSource[], selection: Selection) => Source<unknown>
} = {
  transactions: (chains, selection) =>
    merge(
      TRANSACTION_COLUMNS,
      chains.map((one) => transactionFeed(one, selection)),
    ),
  transfers: (chains, selection) =>
    merge(
      TRANSFER_COLUMNS,
      chains.map((one) => transferFeed(one, selection)),
    ),
}

const ADDRESS = /^0[xX][0-9a-fA-F]{40}$/

/** Transactions or token transfers of EVM chains. */
export const evmTransactions: ExportKind = {
  async source({ evm }, { chains, addresses, contents }, range) {
    const parameter = chainId(evm)
    await Promise.all(chains.map((text) => parameter.prepare?.([text])))
    const ids = chains.map((text) => parsed('options.includeChains', parameter, text))
    const sources = [...new Set(ids)].map((id) => chainOf(evm, id))
    const all = addresses.map((text) => {
      if (ADDRESS.test(text)) return Hex.decodeBare(text.slice(2).toLowerCase())
      throw Parameter.refused(
        'options.addresses',
        'addresses of 0x and 40 hexadecimal digits',
        text.slice(0, 80),
      )
    })
    return SOURCES[contents](sources, { ...range, addresses: all.length === 0 ? undefined : all })
  },
}

/** Place in a chain: the pinned block, the range of blocks, and the key of the last row. */
interface Place {
  readonly at: readonly [height: string, hash: string, sequence: string]
  readonly range: readonly [from: string, until: string]
  readonly after?: readonly string[]
}

type ReadRows<Row> = (
  at: EvmSnapshot,
  range: Range,
  after: readonly string[] | undefined,
  limit: number,
) => Promise<readonly (readonly [row: Row, key: readonly string[]])[]>

/** Returns a feed whose rows are all as of the block that was the newest one at the first read. */
function feed<Row extends { readonly time: bigint }>(
  { chain, store }: EvmChainSource,
  selection: Selection,
  readRows: ReadRows<Row>,
): Feed<OfChain<Row>> {
  return {
    read: async (from, limit) => {
      const place = (from as Place | undefined) ?? (await begin(store, selection))
      if (place === undefined) return []
      const at = await pinned(store, place)
      const [start, end] = place.range
      const range = { from: BigInt(start), until: BigInt(end) }
      const rows = await readRows(at, range, place.after, limit)
      // A reorg while the rows were read could have replaced some of them.
      if (!(await store.isStored(at))) throw new StaleExport()
      return rows.map(
        ([row, after]): Placed<OfChain<Row>> => ({
          row: { ...row, chainId: chain.chainId },
          time: row.time,
          after: { ...place, after },
        }),
      )
    },
  }
}

async function begin(store: EvmStore, { from, until }: Selection): Promise<Place | undefined> {
  const at = await store.snapshot()
  const [first, last] = await Promise.all([
    from === undefined ? 0n : EvmBlocks.firstSince(store, from),
    until === undefined ? undefined : EvmBlocks.firstSince(store, until),
  ])
  if (first === undefined) return undefined
  return {
    at: [String(at.height), Hex.encode(at.hash), String(at.sequence)],
    range: [String(first), String(last ?? at.height + 1n)],
  }
}

async function pinned(store: EvmStore, { at: [height, hash, sequence] }: Place): Promise<EvmSnapshot> {
  const latest = await store.snapshot()
  const found = await store.snapshotAt(BigInt(height), Hex.decode(hash))
  if (found !== undefined) return found
  assertReached(latest, BigInt(height), BigInt(sequence))
  throw new StaleExport()
}
