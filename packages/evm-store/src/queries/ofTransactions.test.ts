import { Bytes } from '@firn/codec'
import { expect, test } from 'vitest'
import { EvmWriter } from '../EvmWriter.ts'
import { busyChain } from '../testing/busyChain.ts'
import { openEvm, TEST_CHAIN } from '../testing/evm.ts'
import * as InternalCalls from './InternalCalls.ts'
import * as Transactions from './Transactions.ts'
import * as Transfers from './Transfers.ts'

test('returns the transfers and calls of an address in its transactions, those to itself once', async () => {
  const store = await openEvm()
  const blocks = [
    ...busyChain({ blocks: 12, transactions: 5, transfers: 15, accounts: 4, contracts: 3, isVaried: true }),
  ]
  await (await EvmWriter.open(store, TEST_CHAIN)).commit(blocks.map((block) => ({ block, contracts: [] })))
  const at = await store.snapshot()
  const [own] = blocks[3]?.transactions ?? []
  const address = own?.from as Uint8Array
  const isOwn = (one: { readonly sender: Uint8Array; readonly recipient: Uint8Array | null }) =>
    Bytes.equals(one.sender, address) || (one.recipient !== null && Bytes.equals(one.recipient, address))
  for (const order of ['asc', 'desc'] as const) {
    const query = { after: undefined, limit: 20, order }
    const page = await Transactions.involving(store, at, address, query)
    expect(page).toHaveLength(20)
    for (const read of [Transfers.ofTransactions, InternalCalls.ofTransactions]) {
      const all: readonly Parameters<typeof isOwn>[0][] = await read(store, page, undefined)
      const expected = all.filter(isOwn)
      expect(expected.length).toBeGreaterThan(0)
      expect(await read(store, page, address)).toEqual(expected)
    }
    const toItself = (await Transfers.ofTransactions(store, page, address)).filter(({ sender, recipient }) =>
      Bytes.equals(sender, recipient),
    )
    expect(toItself.length).toBeGreaterThan(0)
  }
})
