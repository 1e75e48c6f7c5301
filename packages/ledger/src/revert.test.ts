import { describe, expect, it } from 'vitest'
import * as Ledger from './Ledger.ts'
import * as LedgerState from './LedgerState.ts'
import { contents } from './testing/contents.ts'
import { follow } from './testing/follower.ts'
import { load, type RecordedBlock } from './testing/recordings.ts'

/** Returns all records as a single string, because strings compare faster than lists. */
const print = (state: LedgerState.LedgerState) => Object.values(contents(state)).flat().join('\n')

describe.each(['local', 'helicon'] as const)('every block of the recorded network %s', (name) => {
  const recording = load(name)
  const { genesis, constants, blocks } = recording
  const start = () => LedgerState.create(genesis, constants)

  it('leaves the state unchanged on apply, and restores it completely on revert', () => {
    const state = start()
    const states = [print(state)]
    const steps = follow(state, recording, blocks, {
      before: ({ chain, bytes }) => {
        const changes = Ledger.apply(state, chain, bytes)
        expect(print(state)).toBe(states.at(-1))
        LedgerState.commit(state, changes)
        LedgerState.revert(state, changes)
        expect(print(state)).toBe(states.at(-1))
      },
      after: () => states.push(print(state)),
    })
    expect(steps).toHaveLength(blocks.length)
    for (const { changes } of steps.toReversed()) {
      states.pop()
      LedgerState.revert(state, changes)
      expect(print(state)).toBe(states.at(-1))
    }
    expect(print(state)).toBe(print(start()))
  })

  it('reaches the same state whichever chain is applied first, as long as each export precedes its import', () => {
    const { P, X, C } = recording.chains
    const last = (order: readonly RecordedBlock[]) => {
      const state = start()
      expect(follow(state, recording, order)).toHaveLength(blocks.length)
      return print(state)
    }
    const expected = last(blocks)
    for (const order of [
      [...P, ...X, ...C],
      [...C, ...X, ...P],
      [...X, ...P, ...C],
    ]) {
      expect(last(order)).toBe(expected)
    }
  })

  it('reaches the same state when all changes are committed to an empty state', () => {
    const state = start()
    const steps = follow(state, recording, blocks)
    const copy = LedgerState.empty(LedgerState.rulesOf(genesis, constants))
    LedgerState.commit(copy, LedgerState.genesisChanges(genesis, constants))
    for (const { changes } of steps) LedgerState.commit(copy, changes)
    expect(print(copy)).toBe(print(state))
  })
})
