import { CHAIN_ALIASES, Hex, Id } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import type { Change } from './Change.ts'
import * as LedgerState from './LedgerState.ts'
import * as answers from './testing/answers.ts'
import { load } from './testing/recordings.ts'
import { isEqual, membersAt, replay, rewardsOf, sortSets, statusOf } from './testing/replay.ts'

const transactionsOf = (changes: readonly Change[]) =>
  changes.flatMap((change) => (change.type === 'transaction' ? [change] : []))

describe.each(['local', 'helicon'] as const)('the recorded network %s', (name) => {
  const recording = load(name)
  const result = replay(recording)
  // The X-chain of the helicon network was not recorded.
  const unrecorded = name === 'local' ? 0 : 5

  it('starts and ends with the ids of the recorded blocks', () => {
    const { P, X } = recording.firstIds
    const state = LedgerState.create(recording.genesis, recording.constants)
    const idOf = (of: LedgerState.LedgerState, chain: 'P' | 'X') =>
      Id.format(LedgerState.tip(of, chain).blockId)
    expect([idOf(state, 'P'), idOf(state, 'X')]).toEqual([P, X])
    const { chains } = recording
    expect([idOf(result.state, 'P'), idOf(result.state, 'X')]).toEqual([
      chains.P.at(-1)?.id,
      chains.X.at(-1)?.id,
    ])
    expect(Hex.encode(LedgerState.tip(result.state, 'C').blockId)).toBe(chains.C.at(-1)?.id)
  })

  it('creates the transactions that the reference derives from the genesis', () => {
    const { validators, chains, asset, utxos } = recording.first
    const [first = []] = result.changes
    const transactions = transactionsOf(first)
    const names = transactions.map(({ chain, name, position, height }) => [chain, position, height, name])
    expect(names).toEqual([
      ...validators.map((_, i) => ['P', i, 0n, 'AddPermissionlessValidatorTx']),
      ...chains.map((_, i) => ['P', validators.length + i, 0n, 'CreateChainTx']),
      ['X', 0, 0n, 'CreateAssetTx'],
    ])
    const ids = [...validators.map(({ id }) => id), ...chains, asset]
    expect(transactions.map(({ txId }) => Id.format(txId))).toEqual(ids)
    validators.forEach(({ bytes }, i) => {
      expect(Hex.encode(transactions[i]?.bytes ?? Id.EMPTY)).toBe(bytes)
    })
    const made = first.flatMap((change) => (change.type === 'utxo' ? (change.after ?? []) : []))
    const own = made.filter(({ chain }) => chain === 'P')
    if (utxos.length > 0) expect(own.map(({ id }) => Id.format(id))).toEqual(utxos)
    for (const chain of ['P', 'X'] as const) {
      const ordinals = made.filter((item) => item.chain === chain).map(({ ordinal }) => ordinal)
      expect(ordinals).toEqual(ordinals.map((_, i) => i))
    }
  })

  it('reports each transaction with its position and bytes', () => {
    const transactions = result.steps.flatMap(({ changes }) => transactionsOf(changes))
    for (const chain of CHAIN_ALIASES) {
      const own = transactions.filter((item) => item.chain === chain)
      expect(own).toHaveLength(recording.txs[chain].length + (chain === 'X' ? unrecorded : 0))
      for (const { id, height, bytes, ...recorded } of recording.txs[chain]) {
        const found = own.find(({ txId }) => Id.format(txId) === id)
        expect([id, found?.height]).toEqual([id, BigInt(height)])
        expect(bytes.startsWith(Hex.encode(found?.bytes ?? Id.EMPTY))).toBe(true)
        if ('name' in recorded) expect(found?.name).toBe(recorded.name)
        if (chain !== 'P') expect(found?.status).toBe(recorded.status)
      }
    }
    const blockOf = ({ chain, height }: (typeof transactions)[number]) => `${chain}${height}`
    for (const block of new Set(transactions.map(blockOf))) {
      const items = transactions.filter((one) => blockOf(one) === block)
      expect(items.map(({ position }) => position).sort()).toEqual(items.map((_, i) => i))
    }
  })

  it('verifies all signatures against the owners in the state', () => {
    // The other transactions of the P-chain are proposals, which are unsigned.
    const proposals = recording.txs.P.length - result.signed.P
    expect([result.signed, proposals]).toEqual(
      name === 'local' ? [{ P: 71, X: 35, C: 8 }, 6] : [{ P: 25, X: 5, C: 21 }, 9],
    )
  })

  it("reproduces the node's responses at each recorded time", () => {
    expect(result.differences).toEqual([])
    expect(Object.fromEntries(result.compared)).toMatchSnapshot()
  })

  it('decides proposals and pays rewards as the recorded node did', () => {
    for (const { id, status, rewardUTXOs } of recording.txs.P) {
      expect([id, statusOf(result.changes, id)]).toEqual([id, status.status])
      expect(rewardsOf(result.changes, id)).toEqual([...(rewardUTXOs?.utxos ?? [])].sort())
    }
  })

  it('restores the validator sets of every recorded height', () => {
    for (const { height, all, bySubnet } of recording.validatorsAt) {
      const members = [...membersAt(result.state, result.changes, height)]
      expect([height, isEqual(answers.setsOf(members), sortSets(all))]).toEqual([height, true])
      for (const [subnetId, set] of Object.entries(bySubnet))
        expect(answers.setOf(members, subnetId)).toEqual(set)
    }
  })
})
