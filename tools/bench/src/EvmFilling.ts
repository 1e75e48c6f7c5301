import { type EvmChain, type EvmStore, EvmWriter } from '@firn/evm-store'
import { busyChain, inBatches, TEST_CHAIN } from '@firn/evm-store/testing'

/** Chain whose blocks the benchmark generates. */
export const CHAIN: EvmChain = TEST_CHAIN

const TRANSACTIONS = 50
const TRANSFERS = 40
/** Number of rows per block: transactions, internal calls and transfers. */
const ROWS_A_BLOCK = TRANSACTIONS + TRANSACTIONS / 5 + TRANSFERS
const BLOCKS_A_BATCH = 100

/**
 * For each queried address: its target number of transactions, and the minimum distance between two of them, in
 * transactions. On short chains, the minimum distance leads to fewer transactions.
 */
const QUERIED = [
  [1, 1],
  [1_000, 101],
  [100_000, 11],
] as const

/** Returns the addresses to query, each with its number of transactions. */
export function regularsOf(rows: number) {
  const transactions = blocksOf(rows) * TRANSACTIONS
  return QUERIED.map(([target, least]) => {
    const every = Math.max(Math.floor(transactions / target), least)
    // The kinds of events repeat every 5, 10 and 50 transactions. The distance has no common factor with these
    // numbers, so that each address takes part in every kind.
    const odd = every % 2 === 0 ? every + 1 : every
    const prime = odd % 5 === 0 ? odd + 2 : odd
    const isOnce = target === 1
    return {
      matches: isOnce ? 1 : Math.floor(transactions / prime),
      address: new Uint8Array(20).fill(target.toString().length),
      every: isOnce ? Number.MAX_SAFE_INTEGER : prime,
    }
  })
}

/** Result of filling a store. */
export interface Filled {
  readonly blocks: number
  readonly seconds: number
  /** Peak memory of this process in bytes. */
  readonly memory: number
}

/**
 * Fills an empty store with blocks until it has the given number of rows. Each block has 50 transactions, 10 internal
 * calls and 40 transfers, and is one minute later than the previous block. The measured time excludes the generation
 * of the blocks, because a real indexer gets them from a node.
 */
export async function fill(store: EvmStore, rows: number): Promise<Filled> {
  const writer = await EvmWriter.open(store, CHAIN)
  const chain = busyChain({
    blocks: blocksOf(rows),
    transactions: TRANSACTIONS,
    transfers: TRANSFERS,
    accounts: 100_000,
    contracts: 500,
    seconds: 60,
    regulars: regularsOf(rows),
    isVaried: true,
  })
  const begin = performance.now()
  let making = 0
  let memory = 0
  let writing = Promise.resolve()
  let made = performance.now()
  for (const batch of inBatches(chain, BLOCKS_A_BATCH)) {
    const start = performance.now()
    making += start - made
    // The next batch is generated while this one is written.
    const next = writer.commit(batch.map((block) => ({ block, contracts: [] })))
    await writing
    writing = next
    memory = Math.max(memory, process.memoryUsage().rss)
    made = performance.now()
  }
  await writing
  const seconds = (performance.now() - begin - making) / 1000
  return { blocks: blocksOf(rows), seconds, memory }
}

function blocksOf(rows: number): number {
  return Math.ceil(rows / ROWS_A_BLOCK)
}
