import type { IndexerStatus } from '@firn/indexer'
import { Recordings } from '@firn/store/testing'
import { expect, test } from 'vitest'
import type * as Indexing from './Indexing.ts'
import * as OwnLedger from './OwnLedger.ts'

const { genesis, constants } = Recordings.load('local')

/** Returns the problem of a ledger whose indexer has these states, one after the other. */
const problemOf = (networkId: number, ...states: readonly Partial<IndexerStatus>[]) => {
  let state: Partial<IndexerStatus> = {}
  const indexing = {
    opened: { store: {}, rules: { genesis, constants: { ...constants, networkId } } },
    indexer: () => ({
      status: () => ({ problems: [], blocksPerSecond: 0, ...state }),
      problemsOf: () => state.problems ?? [],
    }),
  } as unknown as Indexing.Indexing
  const ledger = OwnLedger.create(indexing, [])
  return states.map((next) => {
    state = next
    return ledger.status().problem
  })
}

const at = (height: bigint, tip: bigint | undefined, time = 0n) =>
  ({ P: { height, tip, time } }) as unknown as NonNullable<IndexerStatus['chains']>

test('has a problem until the tip is reached, and again while the ledger is far behind', () => {
  const states = [
    { phase: 'starting' },
    { phase: 'behind', chains: at(3n, 50n) },
    { phase: 'tip', chains: at(50n, 50n) },
    { phase: 'behind', chains: at(50n, 60n) },
    { phase: 'behind', chains: at(50n, 900n) },
    { phase: 'tip', chains: at(900n, 900n), problems: ['no peers'] },
  ] as const
  expect(problemOf(9, ...states)).toEqual([
    'the P-chain is not synced yet: waiting for the first blocks',
    'the P-chain is not synced yet: applied 3 of 50 blocks',
    undefined,
    undefined,
    'the P-chain is behind: applied 50 of 900 blocks',
    'no peers',
  ])
})

test('has a problem while another process syncs an old P-chain of a public network', () => {
  const now = BigInt(Math.floor(Date.now() / 1_000))
  const states = [
    { phase: 'standby', chains: at(3n, undefined, now - 4_000n) },
    { phase: 'standby', chains: at(4n, undefined, now) },
  ] as const
  expect(problemOf(5, ...states)).toEqual([
    expect.stringMatching(/another process .* is 400\d s old/),
    undefined,
  ])
  expect(problemOf(9, ...states)).toEqual([undefined, undefined])
})
