import { accept, type Change } from './Change.ts'
import { DevnetError } from './DevnetError.ts'
import type { State } from './State.ts'

/** An epoch, which fixes the height of validator sets for a period (ACP-181). */
export interface Epoch {
  readonly number: bigint
  /** Unix seconds. */
  readonly startTime: bigint
  readonly pChainHeight: bigint
}

/** Options that relate heights to time. */
export interface TimelineOptions {
  /** Time in milliseconds after acceptance before a block is proposed; defaults to 30,000. */
  readonly proposedLagMs?: number
  /** Minimum length of an epoch in milliseconds; defaults to 30,000. */
  readonly epochDurationMs?: number
}

/** The states of the P-chain at all heights. */
export interface Timeline {
  readonly tip: State
  /** Returns the state after the block at a height; undefined above the tip. */
  at(height: bigint): State | undefined
  /**
   * Returns the P-chain height that new blocks use. It is one below the oldest block of the last 30 s, or the
   * tip if there is no such block.
   */
  proposedHeight(nowMs: number): bigint
  /**
   * Returns the epoch of the next block of every chain. All chains have one block for each block of the P-chain. Source:
   * proposervm.getCurrentEpoch of avalanchego.
   */
  epoch(): Epoch
  /**
   * Accepts a block with the given changes and returns the new tip.
   * @throws DevnetError `DEVNET_CHANGE`; the block is then not accepted
   */
  advance(changes: readonly Change[], nowMs: number): State
  /**
   * Accepts a block that results in the given state of the P-chain.
   * @throws DevnetError `DEVNET_CHANGE` if its height is not one above the tip
   */
  follow(state: State, nowMs: number): void
}

/**
 * Maximum number of blocks at the tip that are not proposed yet. Source: avalanchego's window of recently
 * accepted blocks.
 */
const WINDOW = 64

/** Creates a timeline whose first state was accepted at the time `nowMs`. */
export function createTimeline(genesis: State, nowMs: number, options: TimelineOptions = {}): Timeline {
  const { proposedLagMs = 30_000, epochDurationMs = 30_000 } = options
  const blocks = [{ state: genesis, acceptedMs: nowMs }]
  let epoch: Epoch = { number: 1n, startTime: genesis.time, pChainHeight: genesis.height }
  const tip = () => (blocks.at(-1) as (typeof blocks)[number]).state

  const proposedHeight = (now: number): bigint => {
    const recent = blocks
      .slice(-WINDOW)
      .find(({ acceptedMs, state }) => state.height > genesis.height && acceptedMs > now - proposedLagMs)
    return recent === undefined ? tip().height : recent.state.height - 1n
  }
  // A block at or after the end of the epoch belongs to the epoch and seals it. The next block opens the next epoch.
  const sealEpoch = (time: bigint, now: number): void => {
    if (Number(time - epoch.startTime) * 1000 < epochDurationMs) return
    epoch = { number: epoch.number + 1n, startTime: time, pChainHeight: proposedHeight(now) }
  }
  const push = (state: State, now: number): void => {
    sealEpoch(state.time, now)
    blocks.push({ state, acceptedMs: now })
  }
  return {
    get tip() {
      return tip()
    },
    at: (height) => blocks[Number(height - genesis.height)]?.state,
    proposedHeight,
    epoch: () => epoch,
    advance(changes, now) {
      const state = accept(tip(), changes, BigInt(Math.floor(now / 1000)))
      push(state, now)
      return state
    },
    follow(state, now) {
      const expected = tip().height + 1n
      if (state.height !== expected) {
        throw new DevnetError('DEVNET_CHANGE', `expected a block of height ${expected}, got ${state.height}`)
      }
      push(state, now)
    },
  }
}

/**
 * Returns the state at a height.
 * @throws DevnetError `DEVNET_UNKNOWN` if the height is above the tip
 */
export function stateAt(timeline: Timeline, height: bigint): State {
  const state = timeline.at(height)
  if (state !== undefined) return state
  throw new DevnetError(
    'DEVNET_UNKNOWN',
    `expected a height of at most ${timeline.tip.height}, got ${height}`,
  )
}
