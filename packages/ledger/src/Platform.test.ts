import { Id } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import * as LedgerState from './LedgerState.ts'
import * as answers from './testing/answers.ts'
import { load } from './testing/recordings.ts'
import { isEqual, membersAt, replay, rewardsOf, sortSets, statusOf } from './testing/replay.ts'

describe.each(['local', 'helicon'] as const)('the recorded chain %s', (name) => {
  const recording = load(name)
  const result = replay(recording)

  it('ends at the recorded block', () => {
    expect(Id.format(LedgerState.tip(result.state, 'P').blockID)).toBe(recording.ids.at(-1))
  })

  it('knows the owners who signed', () => {
    const others = recording.txs.length - result.signed
    // The others are imports, whose owners another chain knows, and proposals, which nobody signs.
    expect([result.signed, others]).toEqual(name === 'local' ? [67, 4 + 6] : [22, 3 + 9])
  })

  it('gives what the node said at each recorded height', () => {
    expect(result.differences).toEqual([])
    expect(Object.fromEntries(result.compared)).toMatchSnapshot()
  })

  it('decides and rewards as the node did', () => {
    for (const { id, status, rewardUTXOs } of recording.txs) {
      expect([id, statusOf(result.changes, id)]).toEqual([id, status.status])
      expect(rewardsOf(result.changes, id)).toEqual([...(rewardUTXOs?.utxos ?? [])].sort())
    }
    expect(
      result.changes
        .slice(1)
        .flat()
        .filter(({ type }) => type === 'transaction'),
    ).toHaveLength(recording.txs.length)
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
