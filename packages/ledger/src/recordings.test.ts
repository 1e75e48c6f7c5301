import { Hex, Id } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import * as LedgerState from './LedgerState.ts'
import * as answers from './testing/answers.ts'
import { load } from './testing/recordings.ts'
import { isEqual, membersAt, replay, rewardsOf, sortSets, statusOf } from './testing/replay.ts'

describe.each(['local', 'helicon'] as const)('the recorded network %s', (name) => {
  const recording = load(name)
  const result = replay(recording)

  it('begins and ends at the recorded blocks', () => {
    const { P, X } = recording.firstIDs
    const state = LedgerState.create(recording.genesis, recording.constants)
    const idOf = (of: LedgerState.LedgerState, chain: 'P' | 'X') =>
      Id.format(LedgerState.tip(of, chain).blockID)
    expect([idOf(state, 'P'), idOf(state, 'X')]).toEqual([P, X])
    const { chains } = recording
    expect([idOf(result.state, 'P'), idOf(result.state, 'X')]).toEqual([
      chains.P.at(-1)?.id,
      chains.X.at(-1)?.id,
    ])
    expect(Hex.encode(LedgerState.tip(result.state, 'C').blockID)).toBe(chains.C.at(-1)?.id)
  })

  it('knows the owners who signed', () => {
    // The other transactions of the P-chain are proposals, which nobody signs.
    const proposals = recording.txs.P.length - result.signed.P
    expect([result.signed, proposals]).toEqual(
      name === 'local' ? [{ P: 71, X: 35, C: 8 }, 6] : [{ P: 25, X: 5, C: 21 }, 9],
    )
  })

  it('gives what the node said at each recorded moment', () => {
    expect(result.differences).toEqual([])
    expect(Object.fromEntries(result.compared)).toMatchSnapshot()
  })

  it('decides and rewards as the node did', () => {
    for (const { id, status, rewardUTXOs } of recording.txs.P) {
      expect([id, statusOf(result.changes, id)]).toEqual([id, status.status])
      expect(rewardsOf(result.changes, id)).toEqual([...(rewardUTXOs?.utxos ?? [])].sort())
    }
  })

  it('knows the validator sets of every height', () => {
    for (const { height, all, bySubnet } of recording.validatorsAt) {
      const members = [...membersAt(result.state, result.changes, height)]
      expect([height, isEqual(answers.setsOf(members), sortSets(all))]).toEqual([height, true])
      for (const [subnetID, set] of Object.entries(bySubnet))
        expect(answers.setOf(members, subnetID)).toEqual(set)
    }
  })
})
