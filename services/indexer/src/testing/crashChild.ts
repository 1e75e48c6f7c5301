import { Store } from '@firn/store'
import { createArchiveSource } from '../primary/archive/ArchiveSource.ts'
import * as GenesisFiles from '../primary/archive/GenesisFiles.ts'
import { createIndexer } from '../primary/Indexer.ts'
import { phaseOf } from '../primary/Phase.ts'
import * as NetworkPeers from '../primary/peers/NetworkPeers.ts'
import { createPeerSource } from '../primary/peers/PeerSource.ts'

/**
 * Arguments of the indexing process that a test kills: `<archive> <url or folder> <schema> <blocks in a
 * batch> [<NodeIDs> <addresses> <heights>]`. With NodeIDs, the blocks come from these peers until the chains have these
 * heights. The process prints its phase and the heights of the chains whenever they change.
 */
const [archive = '', place = '', schema = '', batch = '3', ids, ips = '', target = ''] = process.argv.slice(2)
const at = place.startsWith('postgres:') ? { url: place } : { folder: place }
const store = await Store.open({ ...at, schema, connections: 2 })
await store.migrate()
const rules = await GenesisFiles.load({ archive, now: 0n })
const source =
  ids === undefined
    ? createArchiveSource(archive)
    : createPeerSource({
        ...rules,
        store,
        beacons: NetworkPeers.parseBeacons(ids.split(','), ips.split(',')),
      })
const stop = new AbortController()
const indexer = createIndexer({ store, source, ...rules, batchBlocks: Number(batch), pollMs: 20 })
const heights = () => {
  const { chains } = indexer.status()
  return chains && `${chains.P.height} ${chains.X.height} ${chains.C.height}`
}
let last = ''
const tell = () => {
  const at = heights()
  const now = `${phaseOf(indexer.status())} ${at ?? ''}`
  if (now !== last) process.stdout.write(`${now}\n`)
  last = now
  if (at === target) stop.abort()
}
const timer = setInterval(tell, 2)
await indexer.run(stop.signal)
clearInterval(timer)
tell()
process.stdout.write('done\n')
await source.close()
await store.close()
