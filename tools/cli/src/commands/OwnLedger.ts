import type { Ledger, LedgerStatus } from '@firn/aggregator'
import { type Beacon, type IndexerStatus, NetworkPeers, phaseOf } from '@firn/indexer'
import { createLedgerClients } from '@firn/node-api'
import { systemClock } from '@firn/runtime'
import type * as Indexing from './Indexing.ts'

/**
 * Maximum number of blocks between the ledger and the accepted tip. Above it, validator sets count as outdated. While a
 * ledger follows the tip, it is a few blocks behind for a moment.
 */
const MAX_LAG = 64n
/**
 * Maximum age in seconds of the last P-chain block of mainnet and fuji while another process writes to the database and
 * the accepted tip is therefore not known here. These networks accept a block every few seconds.
 */
const MAX_AGE = 600

/**
 * Returns the ledger that indexing fills, as a source of validator sets.
 * @param beacons nodes that know the addresses of validators
 */
export const create = (indexing: Indexing.Indexing, beacons: readonly Beacon[]): Ledger => {
  const { store, rules } = indexing.opened
  const { networkId, upgrades } = rules.constants
  let hasReachedTip = false
  const status = (): LedgerStatus => {
    const indexer = indexing.indexer()
    const now = indexer.status()
    const { chains, blocksPerSecond, secondsLeft, source } = now
    const { height, tip } = chains?.P ?? {}
    hasReachedTip ||= height !== undefined && tip !== undefined && height >= tip
    return {
      phase: phaseOf(now),
      height,
      tip,
      blocksPerSecond: source?.phase === 'fetching' ? source.blocksPerSecond : blocksPerSecond,
      secondsLeft,
      peers: source?.peers,
      problem: problemOf(now, indexer.problemsOf('P'), hasReachedTip, NetworkPeers.hasBeacons(networkId)),
    }
  }
  return {
    networkId,
    epochDurationSeconds: Number(upgrades.graniteEpochDuration) / 1e9,
    ...createLedgerClients({ store, ...rules }),
    beacons,
    status,
  }
}

/** Returns why the ledger may not have the last accepted blocks of the P-chain; undefined if it has. */
const problemOf = (
  status: IndexerStatus,
  problems: readonly string[],
  hasReachedTip: boolean,
  isPublic: boolean,
): string | undefined => {
  const { phase, chains } = status
  if (problems.length > 0) return problems.join('; ')
  // There is nothing to follow.
  if (phase === 'stopped') return undefined
  if (phase === 'standby') {
    const age = Math.round(systemClock.now() / 1_000) - Number(chains?.P.time ?? 0n)
    if (!isPublic || age <= MAX_AGE) return undefined
    return `another process syncs the P-chain, and its last block is ${age} s old`
  }
  if (!hasReachedTip) return `the P-chain is not synced yet: ${progressOf(status)}`
  const { height = 0n, tip = 0n } = chains?.P ?? {}
  return tip - height > MAX_LAG ? `the P-chain is behind: ${progressOf(status)}` : undefined
}

const progressOf = ({ chains, source }: IndexerStatus): string => {
  if (source?.phase === 'bootstrapping') return `asking ${source.peers} peers for the last accepted block`
  if (source?.phase === 'fetching')
    return `fetched ${source.fetched} of ${source.total} blocks from ${source.peers} peers`
  const { height = 0n, tip } = chains?.P ?? {}
  return tip === undefined ? 'waiting for the first blocks' : `applied ${height} of ${tip} blocks`
}
