import { expect, test } from 'vitest'
import { EvmWriter } from './EvmWriter.ts'
import { type CheckResults, MAX_UNCHECKED } from './internal/storeChecks.ts'
import * as BalanceChecks from './queries/BalanceChecks.ts'
import * as TokenBalances from './queries/TokenBalances.ts'
import { eachDatabase } from './testing/databases.ts'
import { TEST_CHAIN } from './testing/evm.ts'
import { evmAddress, evmBlock, evmHash, evmTransaction, evmTransfer } from './testing/evmBlocks.ts'

const [NOBODY, ANNA, COIN] = [0, 1, 2].map(evmAddress) as [Uint8Array, Uint8Array, Uint8Array]
const HOLDING = { contract: COIN, standard: 20, tokenId: 0n, address: ANNA }

eachDatabase(({ openEvm }) => {
  const opened = async () => {
    const store = await openEvm()
    const writer = await EvmWriter.open(store, TEST_CHAIN)
    const logs = [evmTransfer(0n, COIN, NOBODY, ANNA, { amount: 5n })]
    const first = evmBlock(0n, { transactions: [evmTransaction({ to: COIN, logs })] })
    await writer.commit([first, evmBlock(1n), evmBlock(2n)].map((block) => ({ block, contracts: [] })))
    const results = (first: bigint, last: bigint, given: Partial<CheckResults> = {}): CheckResults => ({
      ...{ first, last, hash: evmHash(last), continues: first > 0n },
      ...{ contracts: [], unchecked: [], checked: [], readings: [], ...given },
    })
    const agreed = (checkedTo: bigint): BalanceChecks.ContractCheck => ({
      ...{ contract: COIN, since: 0n, basis: 'logs', class: 'wellBehaved', agreements: 1 },
      ...{ agreedFrom: 0n, checkedTo, due: null },
    })
    const sourceAt = async (height: bigint) => {
      const [held] = await TokenBalances.ofHoldings(store, [HOLDING], height)
      return [held?.balance, held?.source.basis, held?.source.isChecked]
    }
    return { store, writer, results, agreed, sourceAt }
  }

  test('stores results only if they continue the checked range at a stored block', async () => {
    const { store, writer, results, agreed } = await opened()
    expect(await writer.storeChecks(results(0n, 0n, { hash: evmHash(0n, 1) }))).toBe(false)
    expect(await writer.storeChecks(results(1n, 1n))).toBe(false)
    expect(await writer.storeChecks(results(0n, 0n, { contracts: [agreed(0n)] }))).toBe(true)
    expect(await writer.storeChecks(results(0n, 0n))).toBe(false)
    expect(await writer.storeChecks(results(2n, 2n))).toBe(false)
    expect(await writer.storeChecks(results(1n, 2n))).toBe(true)
    expect(await BalanceChecks.checkedRange(store)).toEqual({ first: 0n, last: 2n })
  })

  test('returns to what was known when a block is undone', async () => {
    const { store, writer, results, agreed, sourceAt } = await opened()
    await writer.storeChecks(results(0n, 1n, { contracts: [agreed(1n)] }))
    expect(await sourceAt(1n)).toEqual([5n, 'logs', true])
    const rebased: BalanceChecks.ContractCheck = {
      ...agreed(2n),
      since: 2n,
      basis: 'chain',
      class: 'rebasing',
    }
    const readings = [{ ...HOLDING, balance: 6n }]
    await writer.storeChecks(results(2n, 2n, { contracts: [rebased], readings }))
    expect(await sourceAt(2n)).toEqual([6n, 'chain', true])
    expect(await sourceAt(1n)).toEqual([5n, 'logs', true])
    await writer.undo(1n)
    expect(await BalanceChecks.checkedRange(store)).toEqual({ first: 0n, last: 1n })
    expect(await sourceAt(1n)).toEqual([5n, 'logs', true])
    // The contract is checked again soon.
    expect(await BalanceChecks.due(store, 0n, 9)).toEqual([COIN])
    // The answers of the removed block were removed, too.
    const hash = evmHash(2n, 1)
    await writer.commit([{ block: { ...evmBlock(2n), hash }, contracts: [] }])
    expect(await writer.storeChecks(results(2n, 2n, { hash, contracts: [rebased] }))).toBe(true)
    expect(await sourceAt(2n)).toEqual([undefined, 'chain', false])
    await writer.undo(-1n)
    expect(await BalanceChecks.checkedRange(store)).toBeUndefined()
  })

  test('checks balances again if the first check of their contract is undone', async () => {
    const { store, writer, results, agreed, sourceAt } = await opened()
    await writer.storeChecks(results(0n, 0n, { unchecked: [HOLDING] }))
    await writer.storeChecks(results(1n, 2n, { contracts: [agreed(2n)], checked: [HOLDING] }))
    expect(await sourceAt(2n)).toEqual([5n, 'logs', true])
    await writer.undo(1n)
    expect(await BalanceChecks.unchecked(store, { height: 1n, limit: 9 })).toMatchObject([{ balance: 5n }])
    const hash = evmHash(2n, 1)
    await writer.commit([{ block: { ...evmBlock(2n), hash }, contracts: [] }])
    await writer.storeChecks(results(2n, 2n, { hash, contracts: [agreed(2n)] }))
    expect(await sourceAt(2n)).toEqual([5n, 'logs', false])
  })

  test('does not call balances checked while they wait for a check', async () => {
    const { store, writer, results, agreed, sourceAt } = await opened()
    await writer.storeChecks(results(0n, 0n, { contracts: [agreed(0n)], unchecked: [HOLDING] }))
    expect(await sourceAt(0n)).toEqual([5n, 'logs', false])
    expect(await BalanceChecks.unchecked(store, { height: 0n, limit: 9 })).toMatchObject([{ balance: 5n }])
    await writer.storeChecks(results(1n, 1n, { checked: [HOLDING] }))
    expect(await sourceAt(1n)).toEqual([5n, 'logs', true])
  })

  test('starts a new range when too many balances wait for a check', async () => {
    const { store, writer, results, agreed, sourceAt } = await opened()
    await writer.storeChecks(results(0n, 0n, { contracts: [agreed(0n)] }))
    const unchecked = Array.from({ length: MAX_UNCHECKED + 1 }, (_, i) => ({
      ...HOLDING,
      tokenId: BigInt(i + 1),
    }))
    await writer.storeChecks(results(1n, 1n, { unchecked }))
    expect(await BalanceChecks.checkedRange(store)).toEqual({ first: 1n, last: 1n })
    await writer.storeChecks(results(2n, 2n, { unchecked: [HOLDING] }))
    expect(await BalanceChecks.checkedRange(store)).toEqual({ first: 2n, last: 2n })
    expect(await BalanceChecks.unchecked(store, { height: 2n, limit: 9 })).toHaveLength(1)
    expect(await sourceAt(2n)).toEqual([5n, 'logs', false])
  })
})
