import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { Hex } from '@firn/codec'
import type { Log } from '@firn/evm'
import { splitStatements } from '@firn/sql'
import { expect, test } from 'vitest'
import * as EvmDoctor from './EvmDoctor.ts'
import type { EvmStore } from './EvmStore.ts'
import { EvmWriter } from './EvmWriter.ts'
import { ALL_BALANCES } from './internal/allBalances.ts'
import * as BalanceChecks from './queries/BalanceChecks.ts'
import { openEvm, TEST_CHAIN } from './testing/evm.ts'
import { evmAddress, evmBlock, evmTransaction, evmTransfer } from './testing/evmBlocks.ts'

const [NOBODY, ANNA, BERT, COIN] = [0, 1, 2, 3].map(evmAddress) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
]
const DEPOSIT = Hex.decode('0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c')

/** What Anna receives by transfers from Bert, and by deposits, in each block. */
const CHANGES: readonly (readonly [received: bigint, deposited: bigint])[] = [
  [0n, 5n],
  [0n, 2n],
  [7n, 0n],
  [0n, 1n],
  [-4n, 0n],
  [4n, 0n],
  [0n, 0n],
  [3n, 9n],
  [-3n, 1n],
  [0n, 1n],
  [-9n, 0n],
  [9n, 0n],
]

const BLOCKS = CHANGES.map(([received, deposited], i) => {
  const [from, to] = received < 0n ? [ANNA, BERT] : [BERT, ANNA]
  const amount = received < 0n ? -received : received
  const logs: Log[] = []
  if (amount > 0n) logs.push(evmTransfer(0n, COIN, from, to, { amount }))
  if (deposited > 0n) logs.push(deposit(deposited))
  // A token of another standard, whose balances do not depend on the others.
  logs.push(evmTransfer(2n, evmAddress(4), NOBODY, ANNA, { tokenId: BigInt(i) }))
  return { block: evmBlock(BigInt(i), { transactions: [evmTransaction({ logs })] }), contracts: [] }
})

function deposit(amount: bigint): Log {
  const topic = new Uint8Array([...new Uint8Array(12), ...ANNA])
  const data = Hex.decode(`0x${amount.toString(16).padStart(64, '0')}`)
  return { index: 1n, address: COIN, topics: [DEPOSIT, topic], data }
}

const MIGRATION = readFileSync(join(import.meta.dirname, 'migrations/evm/0015_current_balances.sql'), 'utf8')

/** The tables before the migration: `token_balance` has all balances, and the peaks are never null. */
const BEFORE = [
  `create table all_balances as select * from ${ALL_BALANCES} as b`,
  `create table holders as select contract, standard, address, since, balance, coalesce(peak, balance) as peak,
    coalesce(peak_since, since) as peak_since from token_holder`,
  'drop table token_holder, token_balance',
  'alter table all_balances rename to token_balance',
  'alter table holders rename to token_holder',
]

test('returns to the same balances when blocks are undone, with deposits between transfers', async () => {
  const [store, other] = await Promise.all([openEvm(), openEvm()])
  const plain = await EvmWriter.open(other, TEST_CHAIN)
  const contents: string[] = []
  for (const block of BLOCKS) {
    await plain.commit([block])
    contents.push(await rowsOf(other))
  }
  // The cache holds almost nothing, so the writer looks up every balance.
  const writer = await EvmWriter.open(store, TEST_CHAIN, { remembered: 1 })
  for (let i = 0; i < BLOCKS.length; i += 5) await writer.commit(BLOCKS.slice(i, i + 5))
  for (let height = BLOCKS.length - 1; height >= 0; height -= 1) {
    await writer.undo(BigInt(height))
    expect([height, await rowsOf(store)]).toEqual([height, contents[height]])
  }
  await writer.commit(BLOCKS.slice(1))
  expect(await rowsOf(store)).toEqual(contents.at(-1))
  expect((await EvmDoctor.check(store)).faults).toEqual([])
  await expectSums(store)
  await Promise.all([store.close(), other.close()])
})

test('the migration of balances stores the same rows as a writer', async () => {
  const store = await openEvm()
  await (await EvmWriter.open(store, TEST_CHAIN)).commit(BLOCKS)
  const written = await rowsOf(store)
  await store.driver.transaction(async (session) => {
    for (const statement of [...BEFORE, ...splitStatements(MIGRATION)]) await session.query(statement)
  })
  expect(await rowsOf(store)).toEqual(written)
  await expectSums(store)
  await store.close()
})

async function rowsOf({ driver }: EvmStore): Promise<string> {
  const all = await driver.transaction((session) =>
    Promise.all(
      ['token_balance', 'token_holder'].map((table) =>
        session.query(`select * from ${table} order by contract, standard, address, since`),
      ),
    ),
  )
  return inspect(all, { depth: null })
}

/** Expects Anna's balance and deposits at every height. */
async function expectSums(store: EvmStore): Promise<void> {
  const [balance, wrapped] = [0, 1].map((part) => {
    let sum = 0n
    return CHANGES.map((change) => {
      sum += change[part] ?? 0n
      return sum
    })
  })
  for (const i of CHANGES.keys()) {
    const holding = { contract: COIN, standard: 20, tokenId: 0n, address: ANNA }
    const [sums] = await BalanceChecks.sums(store, [holding], BigInt(i))
    expect([i, sums?.balance, sums?.wrapped]).toEqual([i, balance?.[i], wrapped?.[i]])
  }
}
