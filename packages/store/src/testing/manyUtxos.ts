import { Id } from '@firn/codec'
import type { Store } from '../Store.ts'
import type { TransferUtxo } from './longChain.ts'

/** Amount of each generated UTXO, in nAVAX. */
const AMOUNT = 1_000_000_000n
/** Number of heights in a partition, and of partitions with generated UTXOs: about as many as Mainnet's P-chain has. */
const SPAN = 1n << 20n
const PARTITIONS = 25

/** Returns a UTXO that {@link fillUtxos} made. */
export function manyUtxo(number: number): TransferUtxo {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number))
  return { txId: Id.hash(bytes), outputIndex: 0, amount: AMOUNT }
}

/**
 * Adds generated live UTXOs of the P-chain to a database that has only a genesis. Their numbers start at 0, their owners
 * differ, and they are spread over the heights of a long chain. Indexes are built after the rows of a partition are
 * written. For tests and benches only.
 */
export async function fillUtxos(store: Store, count: number, avaxAssetId: Uint8Array): Promise<void> {
  const share = Math.ceil(count / PARTITIONS)
  for (let part = 0; part < PARTITIONS; part++) {
    const [from, to] = [part * share, Math.min((part + 1) * share, count) - 1]
    const first = BigInt(part + 1) * SPAN
    const range = `for values from (${first}) to (${first + SPAN})`
    await store.driver.transaction(async ({ query }) => {
      for (const table of ['utxo_p', 'utxo_address_p']) {
        await query(`create table ${table}_${part + 1} (like ${table})`)
      }
      await query(
        `insert into utxo_p_${part + 1} (id, chain, source, height, ordinal, time, tx_id, output_index, asset_id, output,
            output_type, amount, locktime, threshold, addresses, origin)
          select sha256(int8send(0::int8) || tx), 'P', 'P', ${first} + n - ${from}, 0, 0, tx, 0, $1,
            '\\x00000007'::bytea || int8send(${AMOUNT}::int8) || int8send(0::int8) || int4send(1) || int4send(1) || substring(tx, 1, 20),
            7, ${AMOUNT}, 0, 1, array[substring(tx, 1, 20)], 'output'
          from (select n, sha256(int8send(n)) as tx from generate_series(${from}::int8, ${to}::int8) n) made`,
        [avaxAssetId],
      )
      await query(
        `insert into utxo_address_p_${part + 1} (address, chain, source, height, ordinal, id)
          select addresses[1], chain, source, height, ordinal, id from utxo_p_${part + 1}`,
      )
      for (const table of ['utxo_p', 'utxo_address_p']) {
        await query(`alter table ${table} attach partition ${table}_${part + 1} ${range}`)
      }
    })
  }
  for (const table of ['utxo', 'utxo_address']) {
    await store.driver.transaction(({ query }) => query(`analyze ${table}`))
  }
}
