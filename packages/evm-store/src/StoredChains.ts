import { fetchRows } from '@firn/sql'
import { sql } from 'kysely'
import { EvmStore, evmSchemaOf } from './EvmStore.ts'

/**
 * Returns the ids of the EVM chains in a PostgreSQL database, in ascending order. A chain is found by its
 * schema name, which `evmSchemaOf` defines.
 *
 * @example
 * ```ts
 * import { StoredChains } from '@firn/evm-store'
 *
 * await StoredChains.list('postgres://localhost/firn') // [43113n]
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function list(url: string): Promise<readonly bigint[]> {
  const store = await EvmStore.open({ url, chainId: 0n, schema: 'public' })
  try {
    const rows = await fetchRows(
      store,
      sql<{ name: string }>`
      select nspname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relname = 'chain' and relkind = 'r'`,
    )
    return rows.flatMap(({ name }) => idOf(name)).toSorted((a, b) => (a < b ? -1 : 1))
  } finally {
    await store.close()
  }
}

function idOf(schema: string): readonly bigint[] {
  const [, id] = /^evm_(\d{1,20})$/.exec(schema) ?? []
  return id === undefined || schema !== evmSchemaOf(BigInt(id)) ? [] : [BigInt(id)]
}
