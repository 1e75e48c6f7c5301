import { Hex } from '@firn/codec'
import { expect, test } from 'vitest'
import type { EvmStore } from '../EvmStore.ts'
import { EvmWriter } from '../EvmWriter.ts'
import { busyChain } from '../testing/busyChain.ts'
import { eachDatabase } from '../testing/databases.ts'
import { TEST_CHAIN } from '../testing/evm.ts'
import { evmAddress } from '../testing/evmBlocks.ts'
import * as TokenBalances from './TokenBalances.ts'

const ADDRESS = new Uint8Array(20).fill(1)
const BUSY = { blocks: 20, transactions: 10, transfers: 100, accounts: 50, contracts: 20, isVaried: true }

const tokenOf = (held: TokenBalances.Held | undefined) =>
  held && { contract: held.contract, tokenId: held.tokenId }

/** A row of a table of balances. The balance is unused in `unchecked_balance`. */
interface Entry {
  readonly standard: number
  readonly contract: number
  readonly tokenId: number
  readonly since: number
  readonly balance: number
  readonly wrapped: number
}

interface Check {
  readonly contract: number
  readonly since: number
  readonly basis: 'logs' | 'chain'
  readonly class: 'wellBehaved' | 'wrappedNative' | 'feeOnTransfer'
}

const CONTRACTS = Array.from({ length: 40 }, (_, contract) => contract)

/** Returns rows of the contracts that `has` selects at each of the heights. */
function entries(
  standard: number,
  heights: readonly number[],
  has: (contract: number, n: number) => boolean,
): readonly Entry[] {
  const all = CONTRACTS.flatMap((contract) => heights.map((since, n) => ({ contract, since, n })))
  return all
    .filter(({ contract, n }) => has(contract, n))
    .map(({ contract, since }) => ({
      standard,
      contract,
      tokenId: standard === 20 ? 0 : contract % 5,
      since,
      // Every sixth contract is a wrapped native coin without transfers.
      balance: contract % 6 === 0 ? 0 : (contract * 7 + since) % 4,
      wrapped: contract % 3 === 0 ? (contract + since) % 3 : 0,
    }))
}

/** Every seventh contract changes balances without logs. */
const hasLogs = (contract: number) => contract % 7 !== 0
const BOTH = [20, 1155] as const
const HOLDERS = entries(20, [4], (contract) => hasLogs(contract) && contract % 6 !== 0).map((entry) => ({
  ...entry,
  since: [2, 4, 6, 8][entry.contract % 4] as number,
}))
const BALANCES = BOTH.flatMap((standard) =>
  entries(standard, [1, 3, 5, 9], (contract, n) => hasLogs(contract) && (contract + n) % 4 < 2),
)
const READINGS = BOTH.flatMap((standard) =>
  entries(standard, [2, 6], (contract, n) => !hasLogs(contract) || (contract * n) % 5 === 2),
)
const UNCHECKED = BOTH.flatMap((standard) => entries(standard, [5], (contract) => contract % 11 === 1))
const CHECKS = CONTRACTS.filter((contract) => contract % 5 !== 4).flatMap((contract): Check[] => {
  const first = { contract, since: 0, basis: 'logs' } as const
  return [
    { ...first, class: contract % 3 === 0 ? 'wrappedNative' : 'wellBehaved' },
    ...(contract % 4 === 1 ? [{ contract, since: 4, basis: 'chain', class: 'feeOnTransfer' } as const] : []),
  ]
})
/** Heights whose changes of balances were checked. */
const CHECKED = { first: 2, last: 6 }

async function fillTables({ driver }: EvmStore): Promise<void> {
  const bytea = (bytes: Uint8Array) => `'\\x${Hex.encodeBare(bytes)}'`
  const owned = ({ contract, standard }: Entry) => [bytea(ADDRESS), bytea(evmAddress(contract)), standard]
  await driver.transaction(async (session) => {
    const insert = async (table: string, rows: readonly (readonly unknown[])[]) => {
      await session.query(`insert into ${table} values ${rows.map((row) => `(${row})`)}`)
    }
    await insert(
      'token_balance (address, contract, standard, token_id, since, balance, wrapped)',
      BALANCES.map((row) => [...owned(row), row.tokenId, row.since, row.balance, row.wrapped]),
    )
    await insert(
      'token_holder (address, contract, standard, since, balance, wrapped)',
      HOLDERS.map((row) => [...owned(row), row.since, row.balance, row.wrapped]),
    )
    await insert(
      'balance_reading (address, contract, standard, token_id, height, balance)',
      READINGS.map((row) => [...owned(row), row.tokenId, row.since, row.balance]),
    )
    await insert(
      'unchecked_balance (address, contract, standard, token_id, since)',
      UNCHECKED.map((row) => [...owned(row), row.tokenId, row.since]),
    )
    await insert(
      'token_check (contract, since, height, basis, class, agreements, checked_to)',
      CHECKS.map((row) => [
        bytea(evmAddress(row.contract)),
        ...[row.since, row.since, `'${row.basis}'`, `'${row.class}'`, 1, 6],
      ]),
    )
    await insert('checked_range', [[CHECKED.first, CHECKED.last]])
  })
}

interface Query extends Pick<TokenBalances.Query, 'withUnknown'> {
  readonly standard: 20 | 1155
  readonly height: number
  readonly contracts: readonly number[] | undefined
}

/** Returns the balances of the address by a search of all rows. */
function plain({ standard, height, contracts, withUnknown = false }: Query): readonly TokenBalances.Held[] {
  return (contracts === undefined ? CONTRACTS : CONTRACTS.filter((one) => contracts.includes(one))).flatMap(
    (contract): TokenBalances.Held[] => {
      const isOwn = (row: Entry) => row.contract === contract && row.standard === standard
      const sums = [...BALANCES, ...HOLDERS].filter(isOwn)
      const answers = READINGS.filter(isOwn)
      const [some] = [...sums, ...answers]
      if (some === undefined) return []
      const at = <T extends { readonly since: number }>(rows: readonly T[]): T | undefined =>
        rows.filter(({ since }) => since <= height).toSorted((a, b) => b.since - a.since)[0]
      const [sum, answer] = [at(sums), at(answers)]
      const check = at(CHECKS.filter((one) => one.contract === contract))
      const isOpen = at(UNCHECKED.filter(isOwn)) !== undefined
      const balance =
        check?.basis === 'chain'
          ? answer?.balance
          : (sum?.balance ?? 0) + (check?.class === 'wrappedNative' ? (sum?.wrapped ?? 0) : 0)
      if (balance === undefined ? !withUnknown : balance === 0) return []
      const isInRange = CHECKED.first <= height && height <= CHECKED.last
      const isConfirmed =
        sum === undefined
          ? answer !== undefined
          : sum.since >= CHECKED.first || (answer?.since ?? -1) >= sum.since
      return [
        {
          contract: evmAddress(contract),
          tokenId: BigInt(some.tokenId),
          balance: balance === undefined ? undefined : BigInt(balance),
          source: {
            basis: check?.basis ?? 'logs',
            height: check?.basis === 'chain' ? answer && BigInt(answer.since) : BigInt(height),
            isChecked:
              check?.basis === 'chain'
                ? answer !== undefined
                : check !== undefined && isInRange && !isOpen && isConfirmed,
            class: check?.class,
          },
        },
      ]
    },
  )
}

/** Returns the balances of all pages. */
async function walk(
  store: EvmStore,
  { standard, height, contracts, withUnknown = false }: Query,
  paging: Pick<TokenBalances.Query, 'limit' | 'most'>,
): Promise<readonly TokenBalances.Held[]> {
  const found: TokenBalances.Held[] = []
  let after: TokenBalances.HeldPage['stoppedAt']
  do {
    const page = await TokenBalances.ofAddress(store, standard, {
      ...{ address: ADDRESS, height: BigInt(height), after, withUnknown, ...paging },
      contracts: contracts?.map(evmAddress),
    })
    expect(page.elements.length).toBeLessThanOrEqual(paging.limit)
    found.push(...page.elements)
    const isFull = page.elements.length === paging.limit
    after = page.stoppedAt ?? (isFull ? page.elements.at(-1) : undefined)
  } while (after !== undefined)
  return found
}

eachDatabase(({ openEvm }) => {
  test('pages through balances in the given contracts in order, whatever the order in which these are given', async () => {
    const store = await openEvm()
    const blocks = [...busyChain({ ...BUSY, regulars: [{ address: ADDRESS, every: 3 }] })]
    await (await EvmWriter.open(store, TEST_CHAIN)).commit(blocks.map((block) => ({ block, contracts: [] })))
    const { height } = await store.snapshot()
    const query = { address: ADDRESS, height, contracts: undefined, after: undefined, limit: 1_000 }
    const { elements: all, stoppedAt } = await TokenBalances.ofAddress(store, 1155, query)
    expect(stoppedAt).toBeUndefined()
    expect(all.length).toBeGreaterThan(5)
    const texts = [...new Set(all.map(({ contract }) => Hex.encode(contract)))]
    const some = texts.filter((_, index) => index % 2 === 0)
    const contracts = [...some.toReversed(), Hex.encode(evmAddress(255)), ...some.slice(0, 1)].map(Hex.decode)
    const found: TokenBalances.Held[] = []
    for (;;) {
      const page = await TokenBalances.ofAddress(store, 1155, {
        ...query,
        contracts,
        after: found.at(-1),
        limit: 2,
      })
      found.push(...page.elements)
      if (page.elements.length < 2) break
    }
    expect(found).toEqual(all.filter(({ contract }) => some.includes(Hex.encode(contract))))
    // Without any balance above 0, a page ends at the last token that was examined.
    const none = await TokenBalances.ofAddress(store, 1155, { ...query, height: 0n, most: 3 })
    expect(none).toEqual({ elements: [], stoppedAt: tokenOf(all[2]) })
    const walked: TokenBalances.Held[] = []
    let after: TokenBalances.HeldPage['stoppedAt']
    do {
      const page = await TokenBalances.ofAddress(store, 1155, { ...query, after, most: 3 })
      expect(page.elements.length).toBeLessThanOrEqual(3)
      walked.push(...page.elements)
      after = page.stoppedAt
    } while (after !== undefined)
    expect(walked).toEqual(all)
  })

  test('returns the balances that a search of all rows finds, at each height and for each size of the pages', async () => {
    const store = await openEvm()
    await fillTables(store)
    const kinds = new Set<string>()
    for (const standard of BOTH) {
      for (const height of [0, 5, 10]) {
        for (const contracts of [undefined, [8, 3, 3, 42, 1, 18, 14]]) {
          const query = { standard, height, contracts, withUnknown: height % 2 === 1 }
          const expected = plain(query)
          expect(await walk(store, query, { limit: 100 })).toEqual(expected)
          expect(await walk(store, query, { limit: 4, most: height === 5 ? 3 : 9 })).toEqual(expected)
          for (const { balance, source } of expected)
            kinds.add(`${source.class} ${source.isChecked} ${balance === undefined ? 'unknown' : ''}`)
        }
      }
    }
    expect(kinds.size).toBe(7)
  })
})
