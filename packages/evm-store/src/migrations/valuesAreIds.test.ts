import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hex } from '@firn/codec'
import { splitStatements } from '@firn/sql'
import { expect, test } from 'vitest'
import { EvmWriter } from '../EvmWriter.ts'
import * as Contracts from '../queries/Contracts.ts'
import { eachDatabase } from '../testing/databases.ts'
import { TEST_CHAIN } from '../testing/evm.ts'
import { evmAddress, evmBlock, evmTransaction, evmTransfer } from '../testing/evmBlocks.ts'

const MIGRATION = readFileSync(join(import.meta.dirname, 'evm/0035_values_are_ids.sql'), 'utf8')
const [UNDIVIDED, DIVIDED, ITEMS] = [40, 41, 42].map(evmAddress) as [Uint8Array, Uint8Array, Uint8Array]

eachDatabase(({ openEvm }) => {
  test('the migration asks contracts with ERC-20 transfers and without decimals again', async () => {
    const store = await openEvm()
    const writer = await EvmWriter.open(store, TEST_CHAIN)
    const logs = [UNDIVIDED, DIVIDED, ITEMS].map((contract, i) =>
      evmTransfer(
        BigInt(i),
        contract,
        evmAddress(1),
        evmAddress(2),
        contract === ITEMS ? { tokenId: 7n } : { amount: 5n },
      ),
    )
    const fact = { name: undefined, symbol: undefined, decimals: undefined, kind: 'UNKNOWN' } as const
    await writer.commit([
      {
        block: evmBlock(0n, { transactions: [evmTransaction({ logs })] }),
        contracts: [UNDIVIDED, DIVIDED, ITEMS].map((address) => ({
          ...fact,
          address,
          decimals: address === DIVIDED ? 6 : undefined,
        })),
      },
    ])
    await store.driver.transaction(async (session) => {
      const before = ['delete from contract_due', 'alter table contract drop column values_are_ids']
      for (const statement of [...before, ...splitStatements(MIGRATION)]) await session.query(statement)
    })
    const due = await Contracts.due(store, 0n, 9)
    expect(due.map(({ address, value }) => [Hex.encode(address), value])).toEqual([
      [Hex.encode(UNDIVIDED), 5n],
    ])
  })
})
