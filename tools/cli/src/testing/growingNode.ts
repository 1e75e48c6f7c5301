import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createConfiguration, openService } from '@firn/node'
import { Writer } from '@firn/store'
import { openPGlite, Recordings } from '@firn/store/testing'

/**
 * Serves the recorded local network on a port like a node. It starts with `<count>` blocks of the three
 * chains in total, and each line of standard input sets a new total. Prints the URL, and exits when standard
 * input ends.
 */
const [port = '0', count = '1'] = process.argv.slice(2)
const { genesis, constants, chains } = Recordings.load('local')
const store = await openPGlite()
await store.migrate()
const { writer, state } = await Writer.open(store, genesis, constants)
const blocks = [...Recordings.follow(state, chains)]
let written = 0
const grow = async (to: number) => {
  await writer.commit(blocks.slice(written, to))
  written = Math.max(written, Math.min(to, blocks.length))
}
await grow(Number(count))
const dataDir = mkdtempSync(join(tmpdir(), 'firn-growing-'))
const configuration = createConfiguration({
  dataDir,
  httpPort: Number(port),
  stakingPort: 0,
  indexEnabled: true,
})
const service = await openService({ configuration, store, display: { write: () => undefined } })
process.stdout.write(`${service.url}\n`)
for await (const line of createInterface({ input: process.stdin })) await grow(Number(line))
rmSync(dataDir, { recursive: true, force: true })
process.exit(0)
