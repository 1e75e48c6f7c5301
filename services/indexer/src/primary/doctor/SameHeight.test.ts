import type { ChainAlias } from '@firn/codec'
import { recordedStore } from '@firn/store/testing'
import { describe, expect, it } from 'vitest'
import * as SameHeight from './SameHeight.ts'

const signal = new AbortController().signal

/**
 * Calls `ask` with a node that reports the given P-chain heights one after another and then repeats the last
 * one.
 */
async function ask(heights: readonly bigint[], attempts = 3) {
  const state = { calls: 0, questions: 0, slept: 0 }
  const options = {
    store: await recordedStore('local'),
    reference: {
      tip: async (_chain: ChainAlias) => {
        state.calls += 1
        return heights[Math.min(state.calls, heights.length) - 1] as bigint
      },
    },
    clock: {
      now: () => 0,
      sleep: async () => {
        state.slept += 1
      },
    },
    attempts,
  }
  const question = async () => {
    state.questions += 1
    return `answer ${state.questions}`
  }
  return { outcome: await SameHeight.ask(options, ['P'], question, signal), state }
}

describe('ask', () => {
  it("returns the answer together with the database's state at the node's height", async () => {
    const { outcome } = await ask([85n])
    expect(outcome).toMatchObject({ answer: 'answer 1', at: { P: { height: 85n }, X: { height: 35n } } })
  })

  it("returns the database's state at an earlier height if the node lags", async () => {
    const { outcome } = await ask([40n])
    expect(outcome).toMatchObject({ at: { key: '40.35.83', P: { height: 40n } } })
  })

  it('repeats the request if the node accepted a block in the meantime', async () => {
    const { outcome, state } = await ask([83n, 84n, 84n, 84n])
    expect(outcome).toMatchObject({ answer: 'answer 2', at: { P: { height: 84n } } })
    expect(state.slept).toBe(1)
  })

  it('waits while the database is behind the node, and gives up after the allowed attempts', async () => {
    const { outcome, state } = await ask([86n])
    const reason = 'the node is at P-chain height 86, but the database is at 85 (in 3 consecutive attempts)'
    expect(outcome).toEqual({ reason, isBehind: true })
    expect(state).toMatchObject({ questions: 0, slept: 2 })
  })

  it('gives up on a node that keeps accepting blocks', async () => {
    const { outcome } = await ask([1n, 2n, 3n, 4n, 5n, 6n, 7n])
    const reason = 'the node accepted blocks during the request (in 3 consecutive attempts)'
    expect(outcome).toEqual({ reason, isBehind: false })
  })
})
