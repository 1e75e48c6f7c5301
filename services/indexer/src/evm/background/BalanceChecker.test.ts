import { Hex } from '@firn/codec'
import type { Log, Transaction } from '@firn/evm'
import { EvmBalanceChecks, type EvmStore, EvmTokenBalances, EvmWriter } from '@firn/evm-store'
import {
  evmAddress,
  evmBlock,
  evmHash,
  evmTransaction,
  evmTransfer,
  openEvm,
  TEST_CHAIN,
} from '@firn/evm-store/testing'
import { silentLogger, systemClock } from '@firn/runtime'
import { expect, it } from 'vitest'
import { IndexerError } from '../../common/IndexerError.ts'
import type { Answer, Call } from '../upstream/JsonRpc.ts'
import { createBalanceChecker, MAX_BATCHES } from './BalanceChecker.ts'

const [NOBODY, ANNA, BERT, CARL, COIN, WRAPPED] = [0, 1, 2, 3, 4, 5].map(evmAddress) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
]
const DEPOSIT = Hex.decode('0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c')
const word = (value: bigint) => Hex.decode(`0x${value.toString(16).padStart(64, '0')}`)
const SIGNAL = new AbortController().signal

const moved = (to: Uint8Array, amount: bigint, from = NOBODY, contract = COIN) =>
  evmTransfer(0n, contract, from, to, { amount })
const deposited = (to: Uint8Array, amount: bigint): Log => ({
  index: 0n,
  address: WRAPPED,
  topics: [DEPOSIT, Hex.decode(`0x${Buffer.from(to).toString('hex').padStart(64, '0')}`)],
  data: word(amount),
})
const sent = (logs: readonly Log[], to = logs[0]?.address ?? COIN): Partial<Transaction> => ({ to, logs })

/** What the contract at an address returns for an account; undefined if the call reverts. */
type BalanceOf = (
  contract: string,
  account: string,
  call: { readonly from?: string },
  height: bigint,
) => bigint | `0x${string}` | undefined

interface Scene {
  readonly store: EvmStore
  readonly writer: EvmWriter
  /** Stores a block with transactions and checks it. */
  block(given: readonly Partial<Transaction>[], height?: bigint): Promise<void>
  check(): Promise<void>
  /** Stores empty blocks without checking them. */
  skip(count: bigint): Promise<void>
  held(address: Uint8Array, contract?: Uint8Array, height?: bigint): Promise<string>
  balanceOf: BalanceOf
  /** Numbers of balances that were asked for in each request. */
  readonly batches: number[]
  prunedBelow: bigint
  isDown: boolean
  readonly classes: string[]
}

async function scene(): Promise<Scene> {
  const store = await openEvm()
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  let tip = -1n
  let fork = 0
  const hashes = new Map<string, bigint>()
  const refuse = (rpcMessage: string, rpcCode = -32000): Answer => ({
    error: new IndexerError('INDEXER_RPC_REFUSED', rpcMessage, { details: { rpcCode, rpcMessage } }),
  })
  const answer = ({ method, params }: Call): Answer => {
    if (method !== 'eth_call') return { result: {} }
    const [call, at] = params as [{ to: string; data: string; from?: string }, { blockHash: string }]
    const height = hashes.get(at.blockHash)
    if (height === undefined) return refuse('header not found')
    if (height < one.prunedBelow) return refuse('missing trie node')
    const value = one.balanceOf(call.to, `0x${call.data.slice(34, 74)}`, call, height)
    if (value === undefined) return refuse('execution reverted', 3)
    return { result: typeof value === 'string' ? value : Hex.encode(word(value)) }
  }
  const checker = createBalanceChecker({
    store,
    upstreams: {
      groupBlocks: () => 8,
      async ask(calls) {
        if (one.isDown) throw new IndexerError('INDEXER_RPC_UNAVAILABLE', 'down')
        one.batches.push(calls.length - 1)
        return calls.map(answer)
      },
    },
    head: () => undefined,
    clock: systemClock,
    random: () => 0,
    log: silentLogger,
    onChecked: ({ differing }) => void one.classes.push(...differing.map((found) => found.class)),
  })
  const one: Scene = {
    store,
    writer,
    batches: [],
    classes: [],
    prunedBelow: 0n,
    isDown: false,
    balanceOf: () => 0n,
    check: () => checker.catchUp(writer, SIGNAL),
    async block(given, height = tip + 1n) {
      if (height <= tip) {
        await writer.undo(height - 1n)
        fork += 1
      }
      tip = height
      const last = writer.cursor
      const transactions = given.map(({ logs = [], ...transaction }, index) =>
        evmTransaction({
          index,
          logs: logs.map((log) => ({ ...log, index: BigInt(index) })),
          ...transaction,
        }),
      )
      const hash = evmHash(height, fork)
      hashes.set(Hex.encode(hash), height)
      const parentHash = last?.hash ?? evmHash(height - 1n)
      await writer.commit([
        { block: { ...evmBlock(height, { transactions }), hash, parentHash }, contracts: [] },
      ])
      await one.check()
    },
    async skip(count) {
      const blocks = Array.from({ length: Number(count) }, (_, i) => evmBlock(tip + 1n + BigInt(i)))
      await writer.commit(blocks.map((block) => ({ block, contracts: [] })))
      tip += count
    },
    async held(address, contract = COIN, height = tip) {
      const holding = { contract, standard: 20, tokenId: 0n, address }
      const [found] = await EvmTokenBalances.ofHoldings(store, [holding], height)
      if (found === undefined) throw new RangeError('expected one balance')
      const { basis, height: at, isChecked } = found.source
      return `${found.balance ?? 'unknown'} ${basis} ${at ?? '-'} ${isChecked ? 'checked' : 'unchecked'}`
    },
  }
  return one
}

/** Returns the balances of a contract that follows its logs, from a table by account. */
const table = (balances: ReadonlyMap<Uint8Array, bigint>): BalanceOf => {
  const byText = new Map<string, bigint>(
    [...balances].map(([address, balance]) => [Hex.encode(address), balance]),
  )
  return (_contract, account) => byText.get(account) ?? 0n
}

it('answers balances of a well-behaved token from its logs, and says that they were checked', async () => {
  const one = await scene()
  one.balanceOf = table(new Map([[ANNA, 7n]]))
  await one.block([sent([moved(ANNA, 7n)])])
  one.balanceOf = table(
    new Map([
      [ANNA, 5n],
      [BERT, 2n],
    ]),
  )
  await one.block([sent([moved(BERT, 2n, ANNA)])])
  expect(await one.held(ANNA)).toBe('5 logs 1 checked')
  expect(await one.held(ANNA, COIN, 0n)).toBe('7 logs 0 checked')
  expect(await one.held(CARL)).toBe('0 logs 1 unchecked')
  expect(one.classes).toEqual([])
  // Later blocks are not checked while no node answers.
  one.isDown = true
  one.balanceOf = table(
    new Map([
      [ANNA, 9n],
      [BERT, 2n],
    ]),
  )
  await one.block([sent([moved(ANNA, 4n)])])
  expect(await one.held(ANNA)).toBe('9 logs 2 unchecked')
  one.isDown = false
  await one.check()
  expect(await one.held(BERT, COIN, 1n)).toBe('2 logs 1 checked')
  await one.store.close()
})

it('counts deposits of a wrapped native token', async () => {
  const one = await scene()
  one.balanceOf = table(new Map([[ANNA, 7n]]))
  await one.block([sent([deposited(ANNA, 7n)])])
  one.balanceOf = table(
    new Map([
      [ANNA, 4n],
      [BERT, 3n],
    ]),
  )
  await one.block([sent([moved(BERT, 3n, ANNA, WRAPPED)])])
  expect(await one.held(ANNA, WRAPPED)).toBe('4 logs 1 checked')
  expect(await one.held(ANNA, WRAPPED, 0n)).toBe('7 logs 0 checked')
  const page = { address: ANNA, height: 0n, contracts: undefined, after: undefined, limit: 9 }
  expect((await EvmTokenBalances.ofAddress(one.store, 20, page)).elements).toMatchObject([{ balance: 7n }])
  expect(one.classes).toEqual([])
  await one.store.close()
})

it('takes balances from the contract if a fee is deducted, from the block on that shows it', async () => {
  const one = await scene()
  one.balanceOf = table(new Map([[ANNA, 100n]]))
  await one.block([sent([moved(ANNA, 100n)])])
  one.balanceOf = table(
    new Map([
      [ANNA, 50n],
      [BERT, 45n],
    ]),
  )
  await one.block([sent([moved(BERT, 50n, ANNA)])])
  expect(one.classes).toEqual(['feeOnTransfer'])
  expect(await one.held(BERT)).toBe('45 chain 1 checked')
  expect(await one.held(ANNA)).toBe('50 chain 1 checked')
  expect(await one.held(ANNA, COIN, 0n)).toBe('100 logs 0 checked')
  expect(await one.held(CARL)).toBe('unknown chain - unchecked')
  await one.store.close()
})

it('finds balances that change without a log', async () => {
  const one = await scene()
  one.balanceOf = table(
    new Map([
      [ANNA, 100n],
      [BERT, 10n],
    ]),
  )
  await one.block([sent([moved(ANNA, 100n)]), sent([moved(BERT, 10n)])])
  one.balanceOf = (_contract, account) => (account === Hex.encode(ANNA) ? 110n : 11n)
  await one.block([])
  expect(await one.held(BERT)).toBe('11 chain 1 checked')
  expect(one.classes).toEqual(['rebasing'])
  await one.store.close()
})

it('withholds balances of contracts that revert, return too much, or lie to other callers', async () => {
  const one = await scene()
  const contracts = [6, 7, 8].map(evmAddress) as [Uint8Array, Uint8Array, Uint8Array]
  one.balanceOf = (contract, _account, { from }) => {
    if (contract === Hex.encode(contracts[0])) return undefined
    if (contract === Hex.encode(contracts[1])) return `0x${'00'.repeat(100_000)}`
    return from === undefined ? 9n : 8n
  }
  await one.block(contracts.map((contract) => sent([moved(ANNA, 5n, NOBODY, contract)])))
  for (const contract of contracts) expect(await one.held(ANNA, contract)).toBe('unknown chain - unchecked')
  expect(one.classes.toSorted()).toEqual(['lying', 'nonStandard', 'nonStandard'])
  await one.store.close()
})

it('returns to what was known before a reorg, and resumes there', async () => {
  const one = await scene()
  one.balanceOf = table(new Map([[ANNA, 100n]]))
  await one.block([sent([moved(ANNA, 100n)])])
  await one.block([])
  one.balanceOf = table(new Map([[ANNA, 90n]]))
  await one.block([])
  expect(await one.held(ANNA)).toBe('90 chain 2 checked')
  one.balanceOf = table(new Map([[ANNA, 100n]]))
  await one.block([], 2n)
  expect(await one.held(ANNA)).toBe('100 logs 2 checked')
  await one.store.close()
})

it('uses the newest state if nodes have no others', async () => {
  const one = await scene()
  one.isDown = true
  for (let i = 0n; i < 30n; i += 1n) await one.block([sent([moved(ANNA, 1n)])])
  one.isDown = false
  one.prunedBelow = 28n
  one.balanceOf = table(new Map([[ANNA, 30n]]))
  await one.check()
  expect(await one.held(ANNA)).toBe('30 logs 29 checked')
  expect(await EvmBalanceChecks.checkedRange(one.store)).toEqual({ first: 0n, last: 29n })
  await one.store.close()
})

it('skips blocks if it is far behind, and says which balances were not checked', async () => {
  const one = await scene()
  one.balanceOf = table(new Map([[ANNA, 1n]]))
  one.isDown = true
  await one.block([sent([moved(ANNA, 1n)])])
  await one.skip(1_100n)
  one.balanceOf = table(
    new Map([
      [ANNA, 1n],
      [BERT, 2n],
    ]),
  )
  one.isDown = false
  await one.block([sent([moved(BERT, 2n)])])
  expect(await EvmBalanceChecks.checkedRange(one.store)).toEqual({ first: 1_101n, last: 1_101n })
  expect(await one.held(BERT)).toBe('2 logs 1101 checked')
  // A holder of the same contract was asked too. Before, nothing is known.
  expect(await one.held(ANNA)).toBe('1 logs 1101 checked')
  expect(await one.held(ANNA, COIN, 1_100n)).toBe('1 logs 1100 unchecked')
  await one.store.close()
})

it('asks a contract that never returned a number only once per step, whatever it logs', async () => {
  const one = await scene()
  const accounts = Array.from({ length: 100 }, (_, i) => evmAddress(100 + i))
  one.balanceOf = () => undefined
  const spam = accounts.map((account) => sent([moved(account, 1n)]))
  await one.block(spam)
  expect(one.classes).toEqual(['nonStandard'])
  one.batches.length = 0
  await one.block(spam)
  expect(one.batches).toEqual([1])
  await one.store.close()
})

it('asks for less after a node refused, and for more again later', async () => {
  const one = await scene()
  const accounts = Array.from({ length: 100 }, (_, i) => evmAddress(100 + i))
  one.balanceOf = () => 1n
  one.isDown = true
  const logs = accounts.map((account) => sent([moved(account, 1n)]))
  await one.block(logs)
  one.isDown = false
  await one.check()
  expect(one.batches.splice(0)).toHaveLength(1)
  await one.block([])
  expect(one.batches.splice(0)).toHaveLength(2)
  await one.store.close()
})

it('limits the batches per step, and keeps what does not fit for later steps', async () => {
  const one = await scene()
  const accounts = Array.from({ length: 100 }, (_, i) => evmAddress(100 + i))
  one.balanceOf = () => 1n
  await one.block(accounts.map((account) => sent([moved(account, 1n)])))
  expect(one.batches.length).toBeLessThanOrEqual(MAX_BATCHES)
  const checked = async () => {
    const states = await Promise.all(accounts.map((account) => one.held(account)))
    return states.filter((state) => state.endsWith(' checked')).length
  }
  expect(await checked()).toBe(60)
  await one.block([])
  expect(await checked()).toBe(100)
  await one.store.close()
})
