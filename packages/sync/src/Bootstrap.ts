import { backoff } from '@firn/runtime'
import { fetchAncestry } from './Ancestry.ts'
import type { BlockStore } from './BlockStore.ts'
import * as Frontier from './Frontier.ts'
import { type Context, createContext, type SyncDependencies } from './internal/Context.ts'
import type { Checkpoint, Tip } from './Tip.ts'
import * as Voters from './Voters.ts'

/** Options of {@link bootstrap}. */
export interface BootstrapOptions extends SyncDependencies {
  /** The block below the first one that is fetched: the genesis, or the last one that the caller has. */
  readonly root: Tip
  readonly store: BlockStore
  /** Blocks that are known to be on the chain, so that the fetch can begin at all of them at once. */
  readonly checkpoints?: readonly Checkpoint[]
}

const CONNECT_CHECK_MS = 500
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 5_000

/**
 * Fetches the chain from the root to its tip, and returns the tip. Then the store has all blocks from the height above
 * the root to the tip, and they are proven to be what voters of more than half of the total weight accepted. Waits
 * while the voters cannot be reached. After an abort or a kill, the next call continues with the blocks in the store.
 *
 * @throws SyncError `SYNC_OPTION`, `SYNC_ROOT`, `SYNC_UNREADABLE`, `SYNC_HEIGHT`, `SYNC_STORE`
 * @throws the signal's reason; errors of the store and of `verify`
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { systemClock } from '@firn/runtime'
 * import { type BlockStore, bootstrap, type Transport, Voters } from '@firn/sync'
 *
 * declare const transport: Transport, store: BlockStore
 * declare const genesisId: Uint8Array, beacons: readonly Uint8Array[]
 * const tip = await bootstrap({
 *   chain: 'P',
 *   chainId: Id.EMPTY,
 *   transport,
 *   clock: systemClock,
 *   voters: () => Voters.beacons(beacons),
 *   root: { id: genesisId, height: 0n },
 *   store,
 * })
 * for (let height = 1n; height <= tip.height; height++) console.log((await store.get(height))?.bytes.length)
 * ```
 */
export async function bootstrap(options: BootstrapOptions): Promise<Tip> {
  const context = createContext(options)
  const { root, checkpoints = [], store } = options
  await waitForVoters(context)
  let reached = root
  for (let failures = 0; ; ) {
    context.signal.throwIfAborted()
    context.progress('voting')
    const accepted = await Frontier.acceptedByMajority(context, await Frontier.candidates(context))
    if (accepted.length === 0) {
      failures += 1
      const pause = { random: context.random, first: FIRST_PAUSE_MS, longest: LONGEST_PAUSE_MS }
      await context.clock.sleep(backoff(failures, pause), context.signal)
      continue
    }
    failures = 0
    const tip = await fetchAncestry(context, { root, accepted, checkpoints, store })
    if (tip.height - reached.height <= context.options.closeEnough) return tip
    reached = tip
  }
}

/**
 * Waits until voters of three quarters of the weight are connected, or after `connectMs` of more than half of it. With
 * less, no block can have a majority.
 */
async function waitForVoters(context: Context): Promise<void> {
  const { clock, options, signal, transport } = context
  const since = clock.now()
  for (;;) {
    const voters = context.voters()
    const total = Voters.totalWeight(voters)
    const connected = Voters.connectedWeight(voters, transport.connected())
    context.progress('connecting')
    if (connected > 0n && 4n * connected >= 3n * total) return
    if (2n * connected > total && clock.now() - since >= options.connectMs) return
    await clock.sleep(CONNECT_CHECK_MS, signal)
  }
}
