import { type Session, TableRows, toKey } from '@firn/sql'
import type { ContractRow } from '../EvmSchema.ts'
import { EVM_TABLES } from '../EvmSchema.ts'
import type { Added } from './Added.ts'
import { STANDARDS, schedule, scheduleValues } from './contractReadings.ts'
import { Recent } from './Recent.ts'

const RECENT = 50_000

/** Tracks and stores the contracts of a chain. */
export class Contracts {
  readonly #known = new Recent<true>(RECENT)
  /** Contracts whose ERC-20 transfers were seen, so that they were asked what the values are, or will be. */
  readonly #valued = new Recent<true>(RECENT)

  /** Returns the addresses among the given ones for which no contract is stored, without duplicates. */
  async unknown(session: Session, addresses: readonly Uint8Array[]): Promise<Uint8Array[]> {
    const missing = new Map<string, Uint8Array>()
    for (const address of addresses) {
      const key = toKey(address)
      if (this.#known.get(key) === undefined) missing.set(key, address)
    }
    if (missing.size === 0) return []
    const values = [[...missing.values()]]
    const rows = await session.query('select address from contract where address = any($1::bytea[])', values)
    for (const { address } of rows) missing.delete(toKey(address as Uint8Array))
    return [...missing.values()]
  }

  /** Stores the contracts of the blocks, except for contracts that are already stored. */
  async write(session: Session, blocks: readonly Added[]): Promise<void> {
    const first = new Map<string, ContractRow>()
    for (const block of blocks)
      for (const row of rowsOf(block)) {
        const key = toKey(row.address)
        if (!first.has(key)) first.set(key, row)
      }
    const rows = new TableRows<ContractRow>('contract', EVM_TABLES.contract)
    const addresses = await this.unknown(
      session,
      [...first.values()].map(({ address }) => address),
    )
    for (const address of addresses) {
      rows.add(first.get(toKey(address)) as ContractRow)
    }
    if (rows.count > 0) await session.copy(rows.target, rows.finish())
    await schedule(session, blocks, addresses)
    await this.#askForValues(session, blocks)
    for (const key of first.keys()) this.#known.set(key, true)
  }

  async #askForValues(session: Session, blocks: readonly Added[]): Promise<void> {
    const missing = new Map<string, { readonly address: Uint8Array; readonly due: bigint }>()
    for (const { row, rows } of blocks)
      for (const { contract: address, standard } of rows.transfer) {
        const key = toKey(address)
        if (standard === 20 && !missing.has(key) && this.#valued.get(key) === undefined)
          missing.set(key, { address, due: row.time + 1n })
      }
    await scheduleValues(session, [...missing.values()])
    for (const key of missing.keys()) this.#valued.set(key, true)
  }

  /** Clears the cache after an undo. */
  forget(): void {
    this.#known.clear()
    this.#valued.clear()
  }
}

/** Yields the contracts of a block: those that were created and those that emitted transfers. */
function* rowsOf({ row: { height }, rows, contracts }: Added): Iterable<ContractRow> {
  const facts = new Map(contracts.map((one) => [toKey(one.address), one]))
  const seen = new Set<string>()
  const of = (address: Uint8Array, standard: number): ContractRow | undefined => {
    const key = toKey(address)
    if (seen.has(key)) return undefined
    seen.add(key)
    const known = facts.get(key)
    return {
      address,
      since: height,
      // Without facts about the contract, its first transfer determines the standard.
      standard: known === undefined ? standard : STANDARDS[known.kind],
      name: known?.name ?? null,
      symbol: known?.symbol ?? null,
      decimals: known?.decimals ?? null,
      proxy: known?.proxy?.kind ?? null,
      implementation: known?.proxy?.implementation ?? null,
      beacon: known?.proxy?.beacon ?? null,
      values_are_ids: null,
    }
  }
  for (const { contract, standard } of rows.transfer) {
    const row = of(contract, standard)
    if (row !== undefined) yield row
  }
  for (const { contract, succeeded } of rows.creation) {
    const row = succeeded && contract !== null ? of(contract, 0) : undefined
    if (row !== undefined) yield row
  }
}
