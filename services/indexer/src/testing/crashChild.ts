import { Store } from '@firn/store'
import { createArchiveSource } from '../ArchiveSource.ts'
import * as GenesisFiles from '../GenesisFiles.ts'
import { createIndexer } from '../Indexer.ts'

/**
 * Arguments of the indexing process that a test kills: `<archive> <url or folder> <schema> <blocks in a
 * batch>`. The process prints the heights of the chains whenever they change.
 */
const [archive = '', place = '', schema = '', batch = '3'] = process.argv.slice(2)
const at = place.startsWith('postgres:') ? { url: place } : { folder: place }
const store = await Store.open({ ...at, schema, connections: 2 })
await store.migrate()
const rules = await GenesisFiles.load({ archive, now: 0n })
const source = createArchiveSource(archive)
const indexer = createIndexer({ store, source, ...rules, batchBlocks: Number(batch) })
const heights = () => {
  const { chains } = indexer.status()
  if (chains === undefined) return undefined
  return `${chains.P.height} ${chains.X.height} ${chains.C.height}`
}
let last: string | undefined
const tell = () => {
  const now = heights()
  if (now !== undefined && now !== last) process.stdout.write(`${now}\n`)
  last = now
}
const timer = setInterval(tell, 2)
await indexer.run(new AbortController().signal)
clearInterval(timer)
tell()
process.stdout.write('done\n')
await source.close()
await store.close()
