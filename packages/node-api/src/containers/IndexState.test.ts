import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { CHAIN_ALIASES, type ChainAlias } from '@firn/codec'
import { expect, test } from 'vitest'
import * as IndexPositions from './IndexPositions.ts'
import * as IndexState from './IndexState.ts'

const ON = { enabled: true, allowIncomplete: false }
const OFF = { enabled: false, allowIncomplete: false }
const ALLOWED = { allowIncomplete: true }
const WOULD_BE = {
  chain: 'P',
  text: 'running would cause index to become incomplete but incomplete indices are disabled',
}
const IS = { chain: 'P', text: 'index is incomplete but incomplete indices are disabled. Shutting down' }

/** Returns the index state after a run that accepts blocks up to the given heights. */
function run(state: IndexState.State, settings: IndexState.IndexSettings, heights: Partial<Heights>) {
  const started = IndexState.start(state, settings)
  expect(started.refusal).toBeUndefined()
  return accept(started.state, heights)
}

type Heights = Readonly<Record<ChainAlias, bigint>>

function accept(state: IndexState.State, heights: Partial<Heights>): IndexState.State {
  return CHAIN_ALIASES.reduce(
    (before, chain) => IndexState.accept(before, chain, heights[chain] ?? 0n),
    state,
  )
}

/**
 * A recorded start of a real node. The exit status is 0 if the node refused to run, and 124 if it ran until
 * it was stopped.
 */
interface RecordedStart extends IndexState.IndexSettings {
  readonly name: string
  readonly exitStatus: number
  readonly fatal?: string
  readonly chainName?: string
  readonly nextAcceptedIndex?: number
}

function recordedStarts(): readonly RecordedStart[] {
  const packed = readFileSync(new URL('../../vectors/index-restart.json.gz', import.meta.url))
  return JSON.parse(gunzipSync(packed).toString())
}

test('allows or refuses each start as the recorded node did', () => {
  // C-chain block 76 was accepted while the node was down, before the start without an index.
  let state = run(IndexState.INITIAL, ON, { P: 85n, X: 35n, C: 75n })
  const starts = recordedStarts()
  expect(starts.map(({ exitStatus }) => exitStatus)).toEqual([0, 124, 0, 124, 0, 0])
  for (const { name, fatal, chainName, nextAcceptedIndex, ...settings } of starts) {
    const started = IndexState.start(state, settings)
    expect(started.refusal, name).toEqual(fatal && { chain: chainName, text: fatal })
    state = accept(started.state, started.refusal === undefined ? { C: 76n } : {})
    if (nextAcceptedIndex !== undefined)
      expect(IndexPositions.count(state.chains.P.spans, 85n)).toBe(BigInt(nextAcceptedIndex))
  }
  const { spans } = run(state, { ...ON, ...ALLOWED }, { C: 82n }).chains.C
  expect(IndexPositions.count(spans, 82n)).toBe(81n)
  expect(IndexPositions.indexOf(spans, 82n, 82n)).toBe(80n)
})

test('saves a refused start as a run without changing the state of the chains', () => {
  const before = run(IndexState.INITIAL, ON, {})
  const { state, refusal } = IndexState.start(before, OFF)
  expect(refusal).toEqual(WOULD_BE)
  expect(state).toEqual({ ...before, hasRun: true })
})

test('requires permission to index a data folder that was previously used only without an index', () => {
  const before = run(IndexState.INITIAL, OFF, { P: 7n })
  expect(before.chains.P).toMatchObject({ incomplete: true, previouslyIndexed: false })
  expect(IndexState.start(before, OFF).refusal).toBeUndefined()
  expect(IndexState.start(before, ON).refusal).toEqual(IS)
  const { spans } = run(before, { ...ON, ...ALLOWED }, { P: 9n }).chains.P
  expect(spans).toEqual([{ first: 8n }])
})

test('indexes the blocks accepted between two runs only if the second run has the index enabled', () => {
  const once = run(IndexState.INITIAL, ON, { P: 5n })
  expect(run(once, ON, { P: 9n }).chains.P.spans).toEqual([{ first: 1n }])
  const off = run(once, { ...OFF, ...ALLOWED }, { P: 9n })
  expect(off.chains.P.spans).toEqual([{ first: 1n, last: 5n }])
  const on = run(off, { ...ON, ...ALLOWED }, { P: 12n })
  expect(on.chains.P.spans).toEqual([{ first: 1n, last: 5n }, { first: 10n }])
})

test('adds no range for a run without accepted blocks', () => {
  const on = run(IndexState.INITIAL, ON, {})
  expect(run(on, { ...OFF, ...ALLOWED }, {}).chains.X.spans).toEqual([])
})

test('never decreases the accepted height of a chain', () => {
  const state = accept(IndexState.INITIAL, { C: 9n })
  expect(IndexState.accept(state, 'C', 4n)).toBe(state)
  expect(state.chains.C.accepted).toBe(9n)
})
