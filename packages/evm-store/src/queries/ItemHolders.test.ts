import { Hex } from '@firn/codec'
import { type Block, BlockReader, Transfers } from '@firn/evm'
import { inventedChain, type Random, seeded } from '@firn/evm/testing'
import { explain, listening } from '@firn/sql/testing'
import { describe, expect, test } from 'vitest'
import type { EvmStore } from '../EvmStore.ts'
import { EvmWriter } from '../EvmWriter.ts'
import { eachDatabase } from '../testing/databases.ts'
import { TEST_CHAIN } from '../testing/evm.ts'
import { at, type Query } from './ItemHolders.ts'
import type { Holder } from './TokenHolders.ts'

const MANY = 30_000
/** Maximum number of database pages that a page of ten holders may read. */
const MOST_BUFFERS = 150

eachDatabase(({ openEvm }) => {
  describe('EvmItemHolders.at', () => {
    test('lists the same holders as the transfers, for random tokens, heights, thresholds and page sizes', async () => {
      const store = await openEvm()
      const writer = await EvmWriter.open(store, TEST_CHAIN)
      const chain = inventedChain({ seed: 5, transactions: [3, 8], accounts: 10 })
      await commit(writer, chain.grow(60))
      const random = seeded(6)
      expect(await compare(store, read(chain.blocks), random)).toBeGreaterThan(20)
      await writer.undo(40n)
      const fork = chain.branch(40n, 'fork')
      await commit(writer, fork.grow(30))
      expect(await compare(store, read(fork.blocks), random)).toBeGreaterThan(20)
    })

    test('reads no more than a page of a token with many holders, also while many change', async () => {
      const store = await openEvm()
      const writer = await EvmWriter.open(store, TEST_CHAIN)
      await commit(writer, inventedChain({ seed: 5, transactions: [3, 8], accounts: 10 }).grow(60))
      const contract = new Uint8Array(20).fill(0x77)
      await store.driver.transaction(async (session) => {
        await session.query(MORE, [String(MANY)])
        await session.query(LATER)
        await session.query('analyze item_holder')
      })
      const heard = listening(store as never)
      for (const tokenId of [7n, undefined]) {
        for (const threshold of [0n, 500n]) {
          let after: Holder | undefined
          for (let i = 0; i < 3; i++) {
            const query = { contract, tokenId, threshold, height: 40n, after, limit: 10 }
            const found = await at(heard.store as never, query)
            expect(found).toHaveLength(10)
            after = found.at(-1)
            for (const statement of heard.take()) {
              const plan = (await explain(store as never, statement, true)).join('\n')
              const buffers = Number(/Buffers: shared hit=(\d+)/.exec(plan)?.[1])
              expect([threshold, buffers < MOST_BUFFERS ? 'a page' : plan]).toEqual([threshold, 'a page'])
            }
          }
        }
      }
    })
  })
})

const MORE = `insert into item_holder (contract, token_id, address, balance)
  select decode(repeat('77', 20), 'hex'), id, substr(sha256(g::text::bytea), 1, 20), 1 + g % 1000
  from generate_series(1, $1::int) as g cross join (values (7), (-1)) as ids (id)`

/** Transfers to the 20 holders with the highest balances. */
const LATER = `insert into transfer (height, log_index, position, transaction_index, standard, contract, sender, recipient, token_id, amount)
  select 50, 1000000 + g, 0, 0, 1155, decode(repeat('77', 20), 'hex'), decode(repeat('00', 20), 'hex'),
    substr(sha256((g * 1000 - 1)::text::bytea), 1, 20), 7, 900 from generate_series(1, 20) as g`

function read(blocks: ReturnType<typeof inventedChain>['blocks']): readonly Block[] {
  return blocks.map((parts) => BlockReader.read(parts))
}

async function commit(writer: EvmWriter, blocks: ReturnType<typeof inventedChain>['blocks']): Promise<void> {
  await writer.commit(read(blocks).map((block) => ({ block, contracts: [] })))
}

/** Compares random lists with the transfers of blocks. Returns the number of compared holders. */
async function compare(store: EvmStore, blocks: readonly Block[], random: Random): Promise<number> {
  const moved = blocks.flatMap((block) =>
    Transfers.of(block).map((one) => ({ ...one, height: block.height })),
  )
  const items = moved.filter(({ standard }) => standard === 1155)
  let compared = 0
  for (let i = 0; i < 60; i++) {
    const { contract, tokenId } = random.pick(items)
    const query = {
      contract,
      tokenId: random.pick([tokenId, undefined]),
      threshold: random.pick([0n, 1n, 300n]),
      height: random.pick(blocks).height,
    }
    const { height } = query
    const expected = new Map<string, bigint>()
    for (const one of items) {
      if (one.height > height || Hex.encode(one.contract) !== Hex.encode(contract)) continue
      if (query.tokenId !== undefined && one.tokenId !== tokenId) continue
      const add = (address: Uint8Array, amount: bigint) =>
        expected.set(Hex.encode(address), (expected.get(Hex.encode(address)) ?? 0n) + amount)
      add(one.from, -one.amount)
      add(one.to, one.amount)
    }
    expected.delete(`0x${'00'.repeat(20)}`)
    const sorted = [...expected]
      .filter(([, balance]) => balance > query.threshold)
      .sort(([a, x], [b, y]) => (x === y ? (a < b ? -1 : 1) : x > y ? -1 : 1))
    const found = await inPages(store, query, 1 + random.below(5))
    expect(found.map(({ address, balance }) => [Hex.encode(address), balance])).toEqual(sorted)
    compared += found.length
  }
  return compared
}

async function inPages(
  store: EvmStore,
  query: Omit<Query, 'after' | 'limit'>,
  limit: number,
): Promise<Holder[]> {
  const all: Holder[] = []
  for (;;) {
    const found = await at(store, { ...query, after: all.at(-1), limit })
    all.push(...found)
    if (found.length < limit) return all
  }
}
