import {
  EvmInternalCalls,
  EvmRetention,
  type EvmSnapshot,
  EvmTraceGaps,
  type EvmTransactions,
  EvmTransfers,
} from '@firn/evm-store'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import type { EvmChainSource } from '../chain/EvmContext.ts'
import { InternalTransactionDetails, internalTransactionDetails } from '../shapes/InternalTransaction.ts'
import { namedIn } from '../shapes/named.ts'
import type { Contracts } from '../shapes/RichAddress.ts'
import {
  Erc20TransferDetails,
  Erc721TransferDetails,
  Erc1155TransferDetails,
  transferDetails,
} from '../shapes/Transfer.ts'

function transfersOf(shape: Schema.Schema) {
  return Schema.optional(
    Schema.list(shape, 'Token transfers; absent if the transfers of the block are no longer kept'),
  )
}

/** Schemas of the token transfers and internal calls of a transaction. */
export const transactionParts = {
  erc20Transfers: transfersOf(Erc20TransferDetails),
  erc721Transfers: transfersOf(Erc721TransferDetails),
  erc1155Transfers: transfersOf(Erc1155TransferDetails),
  internalTransactions: Schema.optional(
    Schema.list(
      InternalTransactionDetails,
      'Internal calls; absent if the node of the chain does not trace transactions, if no node has returned the traces of the block in time yet, or if the calls of the block are no longer kept',
    ),
  ),
}

/**
 * Token transfers and internal calls of several transactions. `of` returns the transfers and calls of one of them.
 */
export interface Parts {
  readonly contracts: Contracts
  readonly of: (place: EvmTransactions.TransactionPlace) => {
    readonly [Name in keyof typeof transactionParts]: Body | undefined
  }
}

/**
 * Looks up the token transfers and internal calls of transactions. With `address`, returns only the items
 * that involve this address.
 */
export async function partsOf(
  source: EvmChainSource,
  at: EvmSnapshot,
  page: readonly EvmTransactions.Transaction[],
  address?: Uint8Array,
): Promise<Parts> {
  const { chain, store } = source
  // Read first, because the traces may be added meanwhile.
  const untraced =
    at.untracedFrom === undefined
      ? new Set<bigint>()
      : await EvmTraceGaps.among(
          store,
          page.map(({ height }) => height),
        )
  const [transfers, calls] = await Promise.all([
    EvmTransfers.ofTransactions(store, page, address),
    chain.hasTraces ? EvmInternalCalls.ofTransactions(store, page, address) : undefined,
  ])
  const parties = [...page, ...(calls ?? [])].flatMap(({ sender, recipient }) => [sender, recipient])
  const [named, transfersFrom = 0n, tracesFrom = 0n] = await Promise.all([
    namedIn(source, at, transfers, parties, page),
    EvmRetention.keptFrom(store, 'transfers'),
    chain.hasTraces ? EvmRetention.keptFrom(store, 'traces') : undefined,
  ])
  const transfersBy = Map.groupBy(
    transfers,
    ({ height, transactionIndex }) => `${height}.${transactionIndex}`,
  )
  const callsBy =
    calls && Map.groupBy(calls, ({ height, transactionIndex }) => `${height}.${transactionIndex}`)
  return {
    contracts: named.contracts,
    of: ({ height, index }) => {
      const key = `${height}.${index}`
      const own = transfersBy.get(key) ?? []
      const ofStandard = (standard: number) =>
        height < transfersFrom
          ? undefined
          : own.filter((one) => one.standard === standard).map((one) => transferDetails(one, named))
      return {
        erc20Transfers: ofStandard(20),
        erc721Transfers: ofStandard(721),
        erc1155Transfers: ofStandard(1155),
        internalTransactions:
          callsBy === undefined || height < tracesFrom || untraced.has(height)
            ? undefined
            : (callsBy.get(key) ?? []).map((call) => internalTransactionDetails(call, named.contracts)),
      }
    },
  }
}
