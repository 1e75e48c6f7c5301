import { Json, Network } from '@firn/codec'
import { Networks, Upgrades } from '@firn/genesis'
import { IndexerError } from '../../common/IndexerError.ts'

/** Sources of a network's upgrade times. */
export interface UpgradeSources {
  /** JSON of an upgrade file; it may contain only some members. */
  readonly upgradeFile?: string | undefined
  /** Name of the file's option or its path, for error messages. */
  readonly fileName?: string | undefined
  /** Answer of a followed node to `info.upgrades`. */
  readonly nodeUpgrades?: Json.Json | undefined
  /** Upgrade times in the database, which are used for members that neither the file nor the node contains. */
  readonly stored?: Upgrades.Upgrades | undefined
}

/**
 * Returns the upgrade times of a network. Mainnet and Fuji always have the times in this software, but the stop vertex of the
 * file. On other networks,
 * each member comes from the first source that contains it: the file, the node, the database, this software. If the
 * database contains no times yet, upgrades that an old node does not know are not scheduled (see `Upgrades.ofNode`).
 * @throws IndexerError `INDEXER_UPGRADES` if the file and the node have different values, or if one of them differs
 * from the times of Mainnet or Fuji; GenesisError, CodecError for malformed JSON
 */
export function settle(networkId: number, sources: UpgradeSources): Upgrades.Upgrades {
  const { upgradeFile, nodeUpgrades, stored, fileName = '--upgrade-file' } = sources
  const file = upgradeFile === undefined ? {} : Upgrades.readMembers(Json.parse(upgradeFile))
  const node = nodeUpgrades === undefined ? undefined : Upgrades.readMembers(nodeUpgrades)
  const { upgrades: table } = Networks.of(networkId)
  const name = Network.formatName(networkId)
  if (networkId === Network.MAINNET || networkId === Network.FUJI) {
    // The stop vertex is no time. A network that only has the id of Mainnet or Fuji may have other vertices.
    const { cortinaXChainStopVertexId: stop = table.cortinaXChainStopVertexId, ...times } = file
    assertEqual(fileName, times, name, table, `Remove the file, or upgrade Firn.`)
    assertEqual(UPSTREAM, node ?? {}, name, table, 'Use another node, or upgrade the node or Firn.')
    return { ...table, cortinaXChainStopVertexId: stop }
  }
  const remedy = `Correct the file, or remove it to use the node's values.`
  assertEqual(fileName, file, UPSTREAM, node ?? {}, remedy)
  const base = stored === undefined ? Upgrades.ofNode(node ?? {}, table) : { ...stored, ...node }
  const settled = { ...base, ...file }
  Upgrades.assertOrdered(settled)
  return settled
}

const UPSTREAM = 'the node at --upstream'

function assertEqual(
  name: string,
  own: Partial<Upgrades.Upgrades>,
  otherName: string,
  others: Partial<Upgrades.Upgrades>,
  remedy: string,
): void {
  const differences = Upgrades.differences(own, others)
  if (differences.length === 0) return
  const listed = differences.map(
    ({ member, values: [value, other] }) => `${member} is ${value} in ${name} and ${other} in ${otherName}`,
  )
  throw new IndexerError('INDEXER_UPGRADES', `The upgrade times differ: ${listed.join('; ')}. ${remedy}`)
}
