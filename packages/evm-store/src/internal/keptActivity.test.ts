import { Hex } from '@firn/codec'
import { CITUS_URL } from '@firn/sql/testing'
import { expect, test } from 'vitest'
import { EvmWriter } from '../EvmWriter.ts'
import { busyChain } from '../testing/busyChain.ts'
import { openEvm, TEST_CHAIN } from '../testing/evm.ts'
import { byAddress, byHeight } from './keptActivity.ts'

// Shards by height allow no lookup by address.
test.skipIf(CITUS_URL !== '')(
  'finds the same last activity by address and by ranges of heights',
  async () => {
    // With 300 accounts, some are in the newest blocks, and some only in blocks beyond the first range.
    const few = { transactions: 1, transfers: 2, accounts: 300, contracts: 3, seconds: 600, isVaried: true }
    const store = await openEvm()
    const writer = await EvmWriter.open(store, TEST_CHAIN)
    const blocks = [...busyChain({ ...few, blocks: 420 })].map((block) => ({ block, contracts: [] }))
    for (let i = 0; i < blocks.length; i += 70) await writer.commit(blocks.slice(i, i + 70))
    await store.driver.transaction(async (session) => {
      await session.query(
        'insert into pruned_activity select address, last + 7200, null, deployer_last + 3600 from last_activity limit 5',
      )
      const rows = await session.query('select address from last_activity order by address')
      const addresses = [
        ...rows.map(({ address }) => address as Uint8Array),
        Hex.decode(`0x${'fe'.repeat(20)}`),
      ]
      expect(addresses.length).toBeGreaterThan(200)
      for (const height of [410n, 300n, 5n]) {
        const expected = await byAddress(session, height, addresses)
        expect(expected.at(-1)).toEqual([null, null, null])
        expect(await byHeight(session, height, addresses)).toEqual(expected)
      }
    })
    await store.close()
  },
)
