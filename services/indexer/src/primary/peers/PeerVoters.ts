import { Networks } from '@firn/genesis'
import type { Clock, Logger } from '@firn/runtime'
import { type Store, Validators } from '@firn/store'
import { Voters } from '@firn/sync'

/** The nodes that decide which blocks are accepted. */
export interface PeerVoters {
  /** Returns the validators if the P-chain is known and enough of them are connected, otherwise the beacons. */
  current(): readonly Voters.Voter[]
  /** Returns whether {@link current} returns the beacons. */
  areBeacons(): boolean
  /** Stops reading the validators. */
  close(): Promise<void>
}

/** Options of {@link createVoters}. */
export interface PeerVotersOptions {
  readonly store: Store
  /** NodeIDs (20 bytes) of the beacons. */
  readonly beacons: readonly Uint8Array[]
  /** Returns the accepted height of the P-chain; undefined until it is known. */
  readonly acceptedHeight: () => bigint | undefined
  /** Returns the NodeIDs of the connected peers. */
  readonly connected: () => Iterable<Uint8Array>
  /** Connects to these NodeIDs, and no longer to other validators. */
  readonly track: (nodeIds: readonly Uint8Array[]) => void
  readonly clock: Clock
  readonly log: Logger
}

const REFRESH_MS = 5_000
/** Number of blocks that the ledger may be behind the accepted P-chain for its validators to be current. */
const MAX_LAG = 256n

/**
 * Starts with the beacons. Once the ledger has nearly all accepted blocks of the P-chain, its validators take their
 * place as soon as three quarters of their weight are connected. If half of it is no longer connected, the beacons
 * decide again, because the validators could not agree on anything.
 */
export function createVoters(options: PeerVotersOptions): PeerVoters {
  const { store, beacons, clock, log } = options
  const trusted = Voters.beacons(beacons)
  const stop = new AbortController()
  let voters = trusted
  const choose = (validators: readonly Voters.Voter[]) => {
    const total = Voters.totalWeight(validators)
    const connected = Voters.connectedWeight(validators, options.connected())
    const isEnough = voters === trusted ? 4n * connected >= 3n * total : 2n * connected > total
    const next = total > 0n && isEnough ? validators : trusted
    if ((next === trusted) !== (voters === trusted)) {
      const who = next === trusted ? 'beacons' : 'validators'
      log.info({ voters: next.length }, `the ${who} decide which blocks are accepted`)
    }
    voters = next
  }
  const refresh = async () => {
    const accepted = options.acceptedHeight()
    if (accepted === undefined) return
    const { height } = (await store.snapshot()).P
    if (height + MAX_LAG < accepted) return
    const validators = await Validators.setAt(store, height, Networks.PRIMARY_NETWORK_ID)
    options.track(validators.map(({ nodeId }) => nodeId))
    choose(validators.map(({ nodeId, weight }) => ({ nodeId, weight })))
  }
  const run = async () => {
    while (!stop.signal.aborted) {
      await refresh().catch((error) => log.debug({}, `cannot read the validators: ${error}`))
      await clock.sleep(REFRESH_MS, stop.signal).catch(() => undefined)
    }
  }
  const running = run()
  return {
    current: () => voters,
    areBeacons: () => voters === trusted,
    async close() {
      stop.abort()
      await running
    },
  }
}
