import { Hex } from '@firn/codec'
import type { ProxyKind } from '@firn/evm'
import { fetchFirst, fetchRows, prepared } from '@firn/sql'
import { sql } from 'kysely'
import type { EvmSnapshot } from '../EvmSnapshot.ts'
import type { EvmStore } from '../EvmStore.ts'
import { ZERO_ADDRESS } from '../internal/zeroAddress.ts'

/** A contract with the token metadata that it returns. */
export interface Contract {
  readonly address: Uint8Array
  /**
   * Token standard of the contract: 20, 721 or 1155; 0 for any other contract. It is 721 or 1155 if the contract says so
   * (ERC-165), or else if its transfers created such tokens.
   */
  readonly standard: number
  /** Name of the token as raw bytes, which may not be valid UTF-8. */
  readonly name: Uint8Array | null
  readonly symbol: Uint8Array | null
  readonly decimals: number | null
  /** Kind of proxy; null if it is not known whether the contract is one. */
  readonly proxy: ProxyKind | null
  /** Contract whose code a proxy runs; null if it is not known. */
  readonly implementation: Uint8Array | null
  /** Contract that tells a proxy of the kind `EIP-1967-BEACON` its implementation. */
  readonly beacon: Uint8Array | null
}

/**
 * Returns the known contracts among the given addresses. A contract is known if it was created or emitted
 * transfers on the chain.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { EvmContracts, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const at = await store.snapshot()
 * const contract = Hex.decode('0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7')
 * const [token] = await EvmContracts.byAddresses(store, at, [contract])
 * ```
 */
export async function byAddresses(
  store: EvmStore,
  at: EvmSnapshot,
  addresses: readonly Uint8Array[],
): Promise<readonly Contract[]> {
  if (addresses.length === 0) return []
  // A join is used, because a scan of the whole table would compare each contract with all items of an array.
  const found = await fetchRows(
    store,
    sql<Contract>`${prepared} select address, standard, name, symbol, decimals, proxy, implementation, beacon
    from unnest(${sql.val([...addresses])}::bytea[]) as given (address) join contract using (address)
    where since <= ${at.height}`,
  )
  const others = found.filter(({ standard }) => standard !== 721 && standard !== 1155)
  const standards = await standardsOfTokens(
    store,
    at,
    others.map(({ address }) => address),
  )
  return found.map((one) => ({
    ...one,
    standard: standards.get(Hex.encodeBare(one.address)) ?? one.standard,
  }))
}

/** Returns the standard of the first token of each contract that has tokens, by address in hex. */
async function standardsOfTokens(
  store: EvmStore,
  at: EvmSnapshot,
  contracts: readonly Uint8Array[],
): Promise<ReadonlyMap<string, number>> {
  if (contracts.length === 0) return new Map()
  // Citus supports no lateral subquery with a limit for each contract, so each contract has its own.
  const first = contracts.map(
    (contract) => sql`(select contract, standard from token
      where contract = ${contract} and since <= ${at.height} order by token_id limit 1)`,
  )
  const rows = await fetchRows(
    store,
    sql<{ readonly contract: Uint8Array; readonly standard: number }>`${sql.join(first, sql` union all `)}`,
  )
  return new Map(rows.map(({ contract, standard }) => [Hex.encodeBare(contract), standard]))
}

/** A contract to read again. */
export interface DueContract {
  readonly address: Uint8Array
  /** Whether the contract emitted ERC-20 transfer events. */
  readonly tellsErc20: boolean
  /** Value of its last ERC-20 transfer to a holder; undefined if there is none. It may be the id of a token. */
  readonly value?: bigint
}

/**
 * Returns contracts that are to be read again at a block time (Unix seconds), the last due first: contracts that an
 * earlier version stored are read after those that changed. Values come from transfers up to `height`, if it is given: a later
 * token has no owner at the block at which the contracts are read.
 *
 * @example
 * ```ts
 * import { EvmContracts, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const { time } = await store.snapshot()
 * const contracts = await EvmContracts.due(store, time, 16)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function due(
  store: EvmStore,
  time: bigint,
  limit: number,
  height?: bigint,
): Promise<readonly DueContract[]> {
  const due = await fetchRows(
    store,
    sql<{
      contract: Uint8Array
    }>`select contract from contract_due where due <= ${time} order by due desc limit ${limit}`,
  )
  return Promise.all(
    due.map(async ({ contract: address }) => {
      const transfers = sql`from transfer where contract = ${address} and standard = 20`
      const isStored = height === undefined ? sql`` : sql`and height <= ${height}`
      const held = await fetchFirst(
        store,
        sql<{
          value: bigint
        }>`select amount as value ${transfers} and recipient <> ${ZERO_ADDRESS} ${isStored}
          order by height desc, log_index desc limit 1`,
      )
      if (held !== undefined) return { address, tellsErc20: true, value: held.value }
      return {
        address,
        tellsErc20: (await fetchFirst(store, sql`select 1 ${transfers} limit 1`)) !== undefined,
      }
    }),
  )
}
