import { PublicKey } from '@firn/bls'
import { describe, expect, it } from 'vitest'
import * as Entry from './Entry.ts'
import { reasonOf } from './internal/ReportBuilder.ts'
import type { Outcome } from './Report.ts'
import * as Keys from './testing/Keys.ts'

const publicKey = PublicKey.decode(Keys.publicKey(0))
const signature = {} as Extract<Entry.NodeState, { kind: 'candidate' }>['signature']

function entryOf(nodes: readonly (Partial<Entry.Node> & Pick<Entry.Node, 'state'>)[]): Entry.Entry {
  return {
    index: 0,
    weight: 1n,
    publicKey,
    nodes: nodes.map((node) => ({ nodeId: new Uint8Array(20), failures: 0, ...node })),
    inactive: false,
    fromCache: false,
    requests: 0,
  }
}

describe('Entry.phaseOf', () => {
  const byNearness: readonly (readonly [Entry.Phase, Entry.NodeState])[] = [
    ['candidate', { kind: 'candidate', signature }],
    ['waiting', { kind: 'asked', at: 0, overdue: false }],
    ['overdue', { kind: 'asked', at: 0, overdue: true }],
    ['silent', { kind: 'silent' }],
    ['not-yet', { kind: 'not-yet' }],
    ['idle', { kind: 'idle' }],
    ['connecting', { kind: 'unconnected', pending: true }],
    ['lost', { kind: 'unconnected', pending: false }],
    ['lost', { kind: 'failed' }],
  ]

  it('returns the phase of the node that is closest to a signature', () => {
    for (const [i, [phase, state]] of byNearness.entries()) {
      for (const [, other] of byNearness.slice(i)) {
        expect(Entry.phaseOf(entryOf([{ state }, { state: other }]))).toBe(phase)
        expect(Entry.phaseOf(entryOf([{ state: other }, { state }]))).toBe(phase)
      }
    }
  })

  it('returns "lost" for a validator without nodes, and "inactive" for an inactive validator', () => {
    expect(Entry.phaseOf(entryOf([]))).toBe('lost')
    expect(Entry.phaseOf({ ...entryOf([{ state: { kind: 'idle' } }]), inactive: true })).toBe('inactive')
  })
})

describe('reasonOf', () => {
  const facts = { now: 1_500, atDeadline: false }
  const failed = (outcome: Entry.Failure['outcome'], code: number) =>
    ({ state: { kind: 'failed' }, failure: { outcome, code } }) as const

  it('reports the most informative failure of the nodes', () => {
    const byTelling: readonly Entry.Failure['outcome'][] = [
      'timed-out',
      'disconnected',
      'empty',
      'refused',
      'bad-signature',
    ]
    for (const [i, more] of byTelling.entries()) {
      for (const less of byTelling.slice(0, i)) {
        const [first, second] = [failed(more, 1), failed(less, 2)]
        expect(reasonOf(entryOf([first, second]), facts)).toEqual(first.failure)
        expect(reasonOf(entryOf([second, first]), facts)).toEqual(first.failure)
      }
    }
  })

  it('reports the failure of the first of several nodes with equally informative failures', () => {
    const nodes = [failed('refused', 1), failed('refused', 2)]
    expect(reasonOf(entryOf(nodes), facts)).toEqual({ outcome: 'refused', code: 1 })
  })

  it.each<[string, boolean, boolean, Outcome]>([
    ['on time', false, false, 'unanswered'],
    ['queried a moment before the deadline', false, true, 'unanswered'],
    ['late, when the quorum is reached', true, false, 'unanswered'],
    ['late, at the deadline', true, true, 'timed-out'],
  ])('reports a node without a response: %s', (_name, overdue, atDeadline, outcome) => {
    const entry = entryOf([{ state: { kind: 'asked', at: 1_000, overdue } }])
    expect(reasonOf(entry, { ...facts, atDeadline })).toEqual({ outcome, text: 'silent for 500 ms' })
  })

  it('ignores an earlier connection failure once the node is connected', () => {
    const failure = { outcome: 'not-connected', text: 'refused' } as const
    expect(reasonOf(entryOf([{ state: { kind: 'idle' }, failure }]), facts)).toEqual({ outcome: 'not-asked' })
    const state = { kind: 'unconnected', pending: true } as const
    expect(reasonOf(entryOf([{ state, failure }]), facts)).toEqual(failure)
  })
})
