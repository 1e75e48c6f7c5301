import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { Bytes, CHAIN_ALIASES, type ChainAlias, Hex, isFirnError } from '@firn/codec'
import { Genesis, GenesisConfig, Networks } from '@firn/genesis'
import { type Change, Ledger, LedgerState, type Records } from '@firn/ledger'
import { AvmBlock, EvmBlock, PlatformBlock } from '@firn/txs'
import type { Session, Target } from '../Target.ts'
import { rebuild } from './evmBlock.ts'

/** A recorded network, with the changes of its blocks in order. */
interface History {
  readonly state: LedgerState.LedgerState
  readonly steps: readonly {
    readonly chain: ChainAlias
    readonly bytes: Uint8Array
    readonly changes: readonly Change.Change[]
  }[]
}

interface StoredBlock {
  readonly bytes: string
  readonly at: string | null
}

const read = () => {
  const file = new URL('../../../../packages/ledger/vectors/local.json.gz', import.meta.url)
  return JSON.parse(gunzipSync(readFileSync(file)).toString()) as {
    readonly genesis: string
    readonly chains: Readonly<Record<ChainAlias, readonly StoredBlock[]>>
  }
}

/**
 * Returns the blocks of all chains in the order in which the node accepted them, so that every export
 * precedes its import.
 */
const replay = (): History => {
  const { genesis: text, chains } = read()
  const genesis = Genesis.build(GenesisConfig.parse(text))
  const state = LedgerState.create(genesis, Networks.of(genesis.networkId))
  const blocks = CHAIN_ALIASES.flatMap((chain) =>
    chains[chain].flatMap(({ bytes, at }) => (at === null ? [] : [{ chain, at, bytes: Hex.decode(bytes) }])),
  )
  blocks.sort((a, b) => (a.at < b.at ? -1 : 1))
  const steps = blocks.map(({ chain, bytes }) => {
    const changes = Ledger.apply(state, chain, bytes)
    LedgerState.commit(state, changes)
    return { chain, bytes, changes }
  })
  return { state, steps }
}

/**
 * Functions that adapt height and parent of a block to the current state, so that the block's content is
 * executed.
 */
const FITTED: Readonly<Record<ChainAlias, (input: Uint8Array, tip: Records.Tip) => Uint8Array>> = {
  P(input, { height, blockId: parentId }) {
    return PlatformBlock.encode({ ...PlatformBlock.decode(input), height: height + 1n, parentID: parentId })
  },
  X(input, { height, blockId: parentId }) {
    return AvmBlock.encode({ ...AvmBlock.decode(input), height: height + 1n, parentID: parentId })
  },
  C: (input, { height, blockId, time }) =>
    rebuild(EvmBlock.decode(input), { height: height + 1n, parentHash: blockId, time }),
}

const HEIGHTS: Readonly<Record<ChainAlias, (input: Uint8Array) => bigint>> = {
  P: (input) => PlatformBlock.decode(input).height,
  X: (input) => AvmBlock.decode(input).height,
  C: (input) => EvmBlock.decode(input).header.number,
}

const TABLES: readonly Records.TableName[] = [
  ...(['utxo', 'staker', 'subnet', 'chain', 'supply', 'l1Validator'] as const),
  ...(['expiry', 'member', 'asset', 'tip'] as const),
]

/** Returns the contents of all tables as text that does not depend on the order of the rows. */
const contents = ({ tables }: LedgerState.LedgerState): string => {
  const print = (record: unknown) =>
    JSON.stringify(record, (_key, value) => {
      if (value instanceof Uint8Array) return Hex.encodeBare(value)
      return typeof value === 'bigint' ? `${value}` : value
    })
  return TABLES.map((name) => [...tables[name].ordered()].map(print).sort().join()).join('\n')
}

/**
 * Number of cases per comparison of the whole state. A comparison takes a thousand times as long as a block.
 */
const COMPARED = 64

/**
 * Returns the state, the recorded blocks of a chain, and a function that moves the state to the position
 * before a given block.
 */
const movable = () => {
  const { state, steps } = replay()
  let at = steps.length
  const moveTo = (to: number) => {
    for (; at > to; at--) LedgerState.revert(state, steps[at - 1]?.changes ?? [])
    for (; at < to; at++) LedgerState.commit(state, steps[at]?.changes ?? [])
  }
  const of = (chain: ChainAlias) =>
    steps.flatMap((step, place) => (step.chain === chain ? [{ ...step, place }] : []))
  return { state, of, moveTo }
}

/**
 * Runs a function and checks that the state is the same afterwards. Most calls skip the check, because it
 * takes far longer than a block.
 */
const untouched = (
  state: LedgerState.LedgerState,
  input: Uint8Array,
  run: () => string | undefined,
): string | undefined => {
  if (input.reduce((sum, byte) => sum + byte, 0) % COMPARED !== 0) return run()
  const before = contents(state)
  return (
    run() ?? (contents(state) === before ? undefined : 'the state differs from the state before the block')
  )
}

/**
 * Opens a target for the blocks of a chain. Each input is executed unmodified, and once more with the height
 * and the parent that the state expects.
 */
const blocksOf = (chain: ChainAlias): Session => {
  const { state, of, moveTo } = movable()
  const own = of(chain)
  return {
    corpus: own.map(({ bytes }) => bytes),
    run(input) {
      moveTo(own[Number((HEIGHTS[chain](input) - 1n) % BigInt(own.length))]?.place ?? 0)
      return untouched(state, input, () => {
        const fitted = () => FITTED[chain](input, LedgerState.tip(state, chain))
        return given(state, chain, input) ?? given(state, chain, fitted())
      })
    },
  }
}

/**
 * Opens a target for atomic transactions. Each input runs at the state before every recorded block with
 * atomic transactions.
 */
const batches = (): Session => {
  const { state, of, moveTo } = movable()
  const own = of('C').flatMap(({ bytes, place }) => {
    const block = EvmBlock.decode(bytes)
    return block.extData.length > 0 ? [{ block, place }] : []
  })
  return {
    corpus: own.map(({ block }) => block.extData),
    run(extData) {
      for (const { block, place } of own) {
        moveTo(place)
        const { height, blockId: parentHash, time } = LedgerState.tip(state, 'C')
        const bytes = rebuild({ ...block, extData }, { height: height + 1n, parentHash, time })
        const problem = untouched(state, extData, () => given(state, 'C', bytes))
        if (problem !== undefined) return problem
      }
      return undefined
    },
  }
}

/** Applies a block, and reverts it if it was accepted. Returns a description of the problem, if any. */
const given = (state: LedgerState.LedgerState, chain: ChainAlias, bytes: Uint8Array): string | undefined => {
  const { height } = LedgerState.tip(state, chain)
  let changes: readonly Change.Change[]
  try {
    changes = Ledger.apply(state, chain, bytes)
  } catch (error) {
    if (isFirnError(error)) return undefined
    throw error
  }
  LedgerState.commit(state, changes)
  const tip = LedgerState.tip(state, chain)
  LedgerState.revert(state, changes)
  if (tip.height !== height + 1n) return 'an accepted block does not have the next height'
  return Bytes.equals(tip.blockId, idOf(chain, bytes)) ? undefined : 'the tip is not the accepted block'
}

const idOf = (chain: ChainAlias, bytes: Uint8Array): Uint8Array => {
  if (chain === 'C') return EvmBlock.decode(bytes).hash
  return chain === 'P' ? PlatformBlock.id(bytes) : AvmBlock.id(bytes)
}

/**
 * Targets that apply mutated blocks to the state before the recorded block. The code must throw a typed error
 * or return changes, and must not modify the state.
 */
export const ledgerTargets: readonly Target[] = [
  { name: 'ledger.platform', open: () => blocksOf('P') },
  { name: 'ledger.avm', open: () => blocksOf('X') },
  { name: 'ledger.atomic', open: () => blocksOf('C') },
  { name: 'ledger.atomic batch', open: () => batches() },
]
